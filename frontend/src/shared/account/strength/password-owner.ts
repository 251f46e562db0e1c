import type { PasswordOwner } from './password-evaluator';

/** The words that belong to a person, of an account or of a form; nothing else of it goes along. */
export const toPasswordOwner = ({ email, firstName, lastName, username }: PasswordOwner): PasswordOwner => ({
  email,
  firstName,
  lastName,
  username,
});

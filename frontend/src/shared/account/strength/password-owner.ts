import type { PasswordOwner } from './password-evaluator';

/** Picks only the fields that matter for password strength. */
export const toPasswordOwner = ({ email, firstName, lastName, username }: PasswordOwner): PasswordOwner => ({
  email,
  firstName,
  lastName,
  username,
});

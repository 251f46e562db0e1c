import type { TFunction } from 'i18next';
import type { UsernameCheck } from '../../shared/account/use-username-check';
import type { FormErrors } from '../../shared/forms/use-form';
import type texts from './locales/en';

/** Translation key of an error that a form of the auth pages can show at a field. */
export type AuthErrorKey = `errors.${keyof (typeof texts)['errors'] & string}`;

const usernamePattern = /^[A-Za-z0-9_]+$/;
const emailPattern = /^[^\s@]+@[^\s@]+$/;

/** Validates an input; returns the translation key of the error, or undefined. */
type Validator = (value: string) => AuthErrorKey | undefined;

export const validateEmail: Validator = (email) => {
  if (!email.trim()) return 'errors.emailRequired';
  return emailPattern.test(email.trim()) ? undefined : 'errors.emailInvalid';
};

export const validateSignInPassword: Validator = (password) =>
  password.length < 6 ? 'errors.passwordShort6' : undefined;

export const validateNewPassword: Validator = (password) => (password.length < 8 ? 'errors.passwordShort8' : undefined);

export const validateFirstName: Validator = (name) => {
  if (!name.trim()) return 'errors.firstNameRequired';
  return name.trim().length > 50 ? 'errors.firstNameLong' : undefined;
};

export const validateLastName: Validator = (name) => {
  if (!name.trim()) return 'errors.lastNameRequired';
  return name.trim().length > 50 ? 'errors.lastNameLong' : undefined;
};

export const validateUsername: Validator = (username) => {
  if (username.length < 3) return 'errors.usernameShort';
  if (username.length > 30) return 'errors.usernameLong30';
  return usernamePattern.test(username) ? undefined : 'errors.usernameCharacters';
};

/** Whether the username should be checked on the server; the user's own needn't be. */
export const shouldCheckUsername = (username: string, currentUsername?: string | null): boolean =>
  validateUsername(username) === undefined && username.toLowerCase() !== currentUsername?.toLowerCase();

interface ProfileValues {
  firstName: string;
  lastName: string;
  username: string;
  newPassword: string;
  confirmPassword: string;
}

/** Validates the whole profile form; it has its own texts for a username or password of the wrong length. */
export function validateProfile(
  values: ProfileValues,
  usernameCheck: UsernameCheck,
  t: TFunction<'auth'>,
): FormErrors<ProfileValues> {
  const translateError = (key: AuthErrorKey | undefined) => key && t(key);
  const username = validateUsername(values.username);
  return {
    firstName: translateError(validateFirstName(values.firstName)),
    lastName: translateError(validateLastName(values.lastName)),
    username:
      translateError(username === 'errors.usernameLong30' ? 'errors.usernameLong' : username) ??
      (usernameCheck.state === 'unavailable' ? usernameCheck.message : undefined),
    newPassword: translateError(validateNewPassword(values.newPassword) && 'errors.passwordShort8Long'),
    confirmPassword: translateError(validateConfirmation(values)),
  };
}

/** Validates a new password and its confirmation; returns the error of each. */
export function validatePasswordPair(
  password: string,
  confirmation: string,
): [AuthErrorKey | undefined, AuthErrorKey | undefined] {
  return [validateNewPassword(password), confirmation === password ? undefined : 'errors.passwordsDiffer'];
}

function validateConfirmation({ newPassword, confirmPassword }: ProfileValues): AuthErrorKey | undefined {
  if (confirmPassword !== newPassword) return 'errors.passwordsDiffer';
  return confirmPassword.length < 8 ? 'errors.passwordShort8Long' : undefined;
}

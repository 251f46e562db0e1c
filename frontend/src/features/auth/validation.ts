import type { TFunction } from 'i18next';
import type { UsernameCheck } from '../../shared/account/use-username-check';
import type { FormErrors } from '../../shared/forms/use-form';
import type texts from './locales/en';

/** A key of the sentences that a form of this area can show at a field. */
export type AuthErrorKey = `errors.${keyof (typeof texts)['errors'] & string}`;

const usernamePattern = /^[A-Za-z0-9_]+$/;
const emailPattern = /^[^\s@]+@[^\s@]+$/;

/** Each of these takes what was typed and gives the key of the sentence that tells what is wrong, or undefined. */
type Check = (value: string) => AuthErrorKey | undefined;

export const checkEmail: Check = (email) => {
  if (!email.trim()) return 'errors.emailRequired';
  return emailPattern.test(email.trim()) ? undefined : 'errors.emailInvalid';
};

export const checkSignInPassword: Check = (password) => (password.length < 6 ? 'errors.passwordShort6' : undefined);

export const checkNewPassword: Check = (password) => (password.length < 8 ? 'errors.passwordShort8' : undefined);

export const checkFirstName: Check = (name) => {
  if (!name.trim()) return 'errors.firstNameRequired';
  return name.trim().length > 50 ? 'errors.firstNameLong' : undefined;
};

export const checkLastName: Check = (name) => {
  if (!name.trim()) return 'errors.lastNameRequired';
  return name.trim().length > 50 ? 'errors.lastNameLong' : undefined;
};

export const checkUsername: Check = (username) => {
  if (username.length < 3) return 'errors.usernameShort';
  if (username.length > 30) return 'errors.usernameLong30';
  return usernamePattern.test(username) ? undefined : 'errors.usernameCharacters';
};

/** Whether it is worth asking the server about this username; the person's own is not. */
export const canAskFor = (username: string, own?: string | null): boolean =>
  checkUsername(username) === undefined && username.toLowerCase() !== own?.toLowerCase();

interface ProfileValues {
  firstName: string;
  lastName: string;
  username: string;
  newPassword: string;
  confirmPassword: string;
}

/** The profile form as a whole; it has sentences of its own for a username and a password of the wrong length. */
export function checkProfile(
  values: ProfileValues,
  check: UsernameCheck,
  t: TFunction<'auth'>,
): FormErrors<ProfileValues> {
  const say = (key: AuthErrorKey | undefined) => key && t(key);
  const username = checkUsername(values.username);
  return {
    firstName: say(checkFirstName(values.firstName)),
    lastName: say(checkLastName(values.lastName)),
    username:
      say(username === 'errors.usernameLong30' ? 'errors.usernameLong' : username) ??
      (check.state === 'unavailable' ? check.message : undefined),
    newPassword: say(checkNewPassword(values.newPassword) && 'errors.passwordShort8Long'),
    confirmPassword: say(checkConfirmation(values)),
  };
}

/** A new password and its repetition: what is wrong with each. */
export function checkPasswordPair(
  password: string,
  repetition: string,
): [AuthErrorKey | undefined, AuthErrorKey | undefined] {
  return [checkNewPassword(password), repetition === password ? undefined : 'errors.passwordsDiffer'];
}

function checkConfirmation({ newPassword, confirmPassword }: ProfileValues): AuthErrorKey | undefined {
  if (confirmPassword !== newPassword) return 'errors.passwordsDiffer';
  return confirmPassword.length < 8 ? 'errors.passwordShort8Long' : undefined;
}

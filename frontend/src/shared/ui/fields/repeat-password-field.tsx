import type { FieldProps } from '../../forms/use-form';
import { PasswordField } from './password-field';

interface Props extends FieldProps {
  label: string;
  /** The password to repeat. */
  password: string;
  /** Message if the two differ; the form shows the same on submit. */
  mismatchError: string;
}

/** Repeats a new password. Shows the mismatch as soon as there is one, and hides it as soon as it is resolved. */
export function RepeatPasswordField({ password, mismatchError, error, ...field }: Props) {
  // The input so far may still become the password.
  const isPrefix = password.startsWith(field.value);
  const isErrorOutdated = error === mismatchError && field.value === password;
  const visibleError = isPrefix ? (isErrorOutdated ? undefined : error) : mismatchError;
  return <PasswordField {...field} error={visibleError} autoComplete="new-password" />;
}

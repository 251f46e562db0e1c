import type { FieldProps } from '../../forms/use-form';
import { PasswordField } from './password-field';

interface Props extends FieldProps {
  label: string;
  /** The password that is to be repeated. */
  password: string;
  /** The sentence that the two differ; the form gives the same when it is sent. */
  mismatchError: string;
}

/** The same password once more; it says that the two differ as soon as they do, and no longer than they do. */
export function RepeatPasswordField({ password, mismatchError, error, ...field }: Props) {
  // What was typed so far can still become the password by typing on.
  const isPrefix = password.startsWith(field.value);
  const isErrorOutdated = error === mismatchError && field.value === password;
  const visibleError = isPrefix ? (isErrorOutdated ? undefined : error) : mismatchError;
  return <PasswordField {...field} error={visibleError} autoComplete="new-password" />;
}

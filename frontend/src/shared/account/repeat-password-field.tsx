import type { ComponentType } from 'react';
import type { FieldProps } from '../forms/use-form';
import type { PublicPasswordFieldProps } from '../public-ui/public-password-field';

interface Props extends FieldProps {
  /** `PasswordField` on signed-in pages, `PublicPasswordField` on public ones. */
  Field: ComponentType<PublicPasswordFieldProps>;
  label: string;
  /** The password to repeat. */
  password: string;
  /** Message if the two differ; the form shows the same on submit. */
  mismatchError: string;
}

/** Repeats a new password. Shows the mismatch as soon as there is one, and hides it as soon as it is resolved. */
export function RepeatPasswordField({ Field, password, mismatchError, error, ...field }: Props) {
  // The input so far may still become the password.
  const isPrefix = password.startsWith(field.value);
  const isErrorOutdated = error === mismatchError && field.value === password;
  const visibleError = isPrefix ? (isErrorOutdated ? undefined : error) : mismatchError;
  return <Field {...field} error={visibleError} autoComplete="new-password" />;
}

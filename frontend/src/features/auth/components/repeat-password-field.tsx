import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../../../shared/hooks/use-form';
import { PasswordField } from '../../../shared/ui/password-field';
import { repeats } from '../validation';

/** The same password once more; it says that the two differ as soon as they do, and no longer than they do. */
export function RepeatPasswordField({ password, error, ...field }: FieldProps & { password: string }) {
  const { t } = useTranslation('auth');
  const differs = t('errors.passwordsDiffer');
  const settled = error === differs && field.value === password;
  return (
    <PasswordField
      {...field}
      error={repeats(password, field.value) ? (settled ? undefined : error) : differs}
      label={t('fields.confirmPassword')}
      autoComplete="new-password"
    />
  );
}

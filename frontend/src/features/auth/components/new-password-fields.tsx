import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../../../shared/hooks/use-form';
import { PasswordField } from '../../../shared/ui/password-field';
import { RepeatPasswordField } from '../../../shared/ui/repeat-password-field';

interface Props {
  password: FieldProps;
  repetition: FieldProps;
}

/** A new password, twice. */
export function NewPasswordFields({ password, repetition }: Props) {
  const { t } = useTranslation('auth');
  return (
    <>
      <PasswordField
        {...password}
        label={t('fields.newPassword')}
        help={t('help.password')}
        autoComplete="new-password"
      />
      <RepeatPasswordField
        {...repetition}
        label={t('fields.confirmPassword')}
        password={password.value}
        differs={t('errors.passwordsDiffer')}
      />
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { NewPasswordField } from '../../../shared/account/new-password-field';
import type { PasswordOwner } from '../../../shared/account/strength/password-evaluator';
import type { FieldProps } from '../../../shared/forms/use-form';
import { RepeatPasswordField } from '../../../shared/ui/fields/repeat-password-field';

interface Props {
  /** What is known about the user, for the password strength check. */
  owner: PasswordOwner;
  password: FieldProps;
  confirmation: FieldProps;
}

/** Fields for a new password and its confirmation. */
export function NewPasswordFields({ owner, password, confirmation }: Props) {
  const { t } = useTranslation('auth');
  return (
    <>
      <NewPasswordField {...password} label={t('fields.newPassword')} owner={owner} />
      <RepeatPasswordField
        {...confirmation}
        label={t('fields.confirmPassword')}
        password={password.value}
        mismatchError={t('errors.passwordsDiffer')}
      />
    </>
  );
}

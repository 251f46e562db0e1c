import { useTranslation } from 'react-i18next';
import { NewPasswordField } from '../../../shared/account/new-password-field';
import type { PasswordOwner } from '../../../shared/account/strength/password-evaluator';
import { RepeatPasswordField } from '../../../shared/account/repeat-password-field';
import type { FieldProps } from '../../../shared/forms/use-form';
import { PublicPasswordField } from '../../../shared/public-ui/public-password-field';

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
      <NewPasswordField {...password} Field={PublicPasswordField} label={t('fields.newPassword')} owner={owner} />
      <RepeatPasswordField
        {...confirmation}
        Field={PublicPasswordField}
        label={t('fields.confirmPassword')}
        password={password.value}
        mismatchError={t('errors.passwordsDiffer')}
      />
    </>
  );
}

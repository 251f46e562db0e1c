import { useTranslation } from 'react-i18next';
import { NewPasswordField } from '../../../shared/account/new-password-field';
import type { PasswordOwner } from '../../../shared/account/strength/password-evaluator';
import type { FieldProps } from '../../../shared/forms/use-form';
import { RepeatPasswordField } from '../../../shared/ui/fields/repeat-password-field';

interface Props {
  /** Whose it is to be, as far as is known. */
  owner: PasswordOwner;
  password: FieldProps;
  confirmation: FieldProps;
}

/** A new password, twice. */
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

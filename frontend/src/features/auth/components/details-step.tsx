import { useTranslation } from 'react-i18next';
import { NewPasswordField } from '../../../shared/account/new-password-field';
import { toPasswordOwner } from '../../../shared/account/strength/password-owner';
import { useUsernameCheck } from '../../../shared/account/use-username-check';
import { UsernameField } from '../../../shared/account/username-field';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { PublicSubmitButton } from '../../../shared/public-ui/public-button';
import { PublicField } from '../../../shared/public-ui/public-field';
import { PublicPasswordField } from '../../../shared/public-ui/public-password-field';
import { EmailsNotSentNotice } from '../../../shared/site/emails-not-sent-notice';
import { toast } from '../../../shared/toast/toast-store';
import { TermsAgreement } from './terms-agreement';
import {
  shouldCheckUsername,
  validateEmail,
  validateFirstName,
  validateLastName,
  validateNewPassword,
  validateUsername,
  type AuthErrorKey,
} from '../validation';

export type RegistrationDetails = {
  firstName: string;
  lastName: string;
  username: string;
  email: string;
  password: string;
};

export const emptyDetails: RegistrationDetails = { firstName: '', lastName: '', username: '', email: '', password: '' };

interface Props {
  initial: RegistrationDetails;
  /** Server errors from submitting these details together with the code. */
  serverErrors: Record<string, string[]>;
  onSubmit: (details: RegistrationDetails) => Promise<void>;
}

/** The first step of registration. */
export function DetailsStep({ initial, serverErrors, onSubmit }: Props) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const translateError = (key: AuthErrorKey | undefined) => key && t(key);
  const form = useForm({
    initial,
    serverErrors: serverErrors,
    validate: (values) => ({
      firstName: translateError(validateFirstName(values.firstName)),
      lastName: translateError(validateLastName(values.lastName)),
      username:
        translateError(validateUsername(values.username)) ??
        (usernameCheck.state === 'unavailable' ? usernameCheck.message : undefined),
      email: translateError(validateEmail(values.email)),
      password: translateError(validateNewPassword(values.password)),
    }),
    submit: (values) => onSubmit(trimDetails(values)),
    onFailure: (error) => toast.error(t('register.sendFailed'), errorText(error)),
  });
  const usernameCheck = useUsernameCheck(form.values.username, shouldCheckUsername(form.values.username));
  return (
    <form className="z-form" {...form.formProps}>
      <EmailsNotSentNotice isAhead />
      <div className="z-auth-names">
        <PublicField {...form.field('firstName')} label={t('fields.firstName')} autoComplete="given-name" />
        <PublicField {...form.field('lastName')} label={t('fields.lastName')} autoComplete="family-name" />
      </div>
      <UsernameField {...form.field('username')} Field={PublicField} usernameCheck={usernameCheck} />
      <PublicField {...form.field('email')} label={t('fields.email')} type="email" autoComplete="email" />
      <NewPasswordField
        {...form.field('password')}
        Field={PublicPasswordField}
        label={t('fields.password')}
        owner={toPasswordOwner(form.values)}
      />
      <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('register.next')}</PublicSubmitButton>
      <TermsAgreement />
    </form>
  );
}

function trimDetails(values: RegistrationDetails): RegistrationDetails {
  const { firstName, lastName, email, ...rest } = values;
  return { ...rest, firstName: firstName.trim(), lastName: lastName.trim(), email: email.trim() };
}

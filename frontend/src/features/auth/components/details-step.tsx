import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useTranslation } from 'react-i18next';
import { NewPasswordField } from '../../../shared/account/new-password-field';
import { toPasswordOwner } from '../../../shared/account/strength/password-owner';
import { useUsernameCheck } from '../../../shared/account/use-username-check';
import { UsernameField } from '../../../shared/account/username-field';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { EmailsNotSentNotice } from '../../../shared/site/emails-not-sent-notice';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
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
    <Stack component="form" spacing={4} {...form.formProps}>
      <EmailsNotSentNotice isAhead />
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <FormField {...form.field('firstName')} label={t('fields.firstName')} autoComplete="given-name" />
        <FormField {...form.field('lastName')} label={t('fields.lastName')} autoComplete="family-name" />
      </Box>
      <UsernameField {...form.field('username')} usernameCheck={usernameCheck} />
      <FormField {...form.field('email')} label={t('fields.email')} type="email" autoComplete="email" />
      <NewPasswordField {...form.field('password')} label={t('fields.password')} owner={toPasswordOwner(form.values)} />
      <SubmitButton isSubmitting={form.isSubmitting} fullWidth>
        {t('register.next')}
      </SubmitButton>
      <TermsAgreement />
    </Stack>
  );
}

function trimDetails(values: RegistrationDetails): RegistrationDetails {
  const { firstName, lastName, email, ...rest } = values;
  return { ...rest, firstName: firstName.trim(), lastName: lastName.trim(), email: email.trim() };
}

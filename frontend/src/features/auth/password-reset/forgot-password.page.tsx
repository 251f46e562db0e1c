import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { PublicFrame } from '../../../shared/public-ui/public-frame';
import {
  EmailsNotSentNotice,
  useEmailSentTitle,
  usePublicEmailToast,
  useIsEmailEnabled,
} from '../../../shared/site/emails-not-sent-notice';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { AuthCard } from '../components/auth-card';
import { BackToSignInLink } from '../components/back-to-sign-in-link';
import { validateEmail } from '../validation';

/** /forgot-password: requests a reset email. The message is the same whether or not the address has an account. */
export function ForgotPasswordPage() {
  const { state } = useLocation() as { state: { email?: string } | null };
  const [email, setEmail] = useState(state?.email ?? '');
  const [sent, setSent] = useState(false);
  const onSent = (address: string) => {
    setEmail(address);
    setSent(true);
  };
  return (
    <PublicFrame centred>
      {sent ? (
        <LinkSent email={email} onChangeEmail={() => setSent(false)} />
      ) : (
        <ResetLinkForm email={email} onSent={onSent} />
      )}
    </PublicFrame>
  );
}

/** Requests the email and shows a toast; the caller handles errors. */
function useRequestResetLink() {
  const { t } = useTranslation('auth');
  const showEmailToast = usePublicEmailToast();
  return async (email: string) => {
    const { data } = await api.POST('/api/forgot-password', { body: { email } });
    showEmailToast(t('forgot.sent'), data?.message);
  };
}

function ResetLinkForm({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const requestLink = useRequestResetLink();
  const form = useForm({
    initial: { email },
    validate: (values) => ({ email: validateEmail(values.email) && t('errors.emailAddress') }),
    submit: async (values) => {
      await requestLink(values.email.trim());
      onSent(values.email.trim());
    },
    onFailure: (error) => toast.error(t('forgot.failed'), errorText(error)),
  });
  return (
    <AuthCard title={t('forgot.title')} text={t('forgot.text')}>
      <Stack component="form" spacing={4} {...form.formProps}>
        <EmailsNotSentNotice isAhead />
        <FormField {...form.field('email')} label={t('fields.email')} type="email" autoComplete="email" />
        <SubmitButton isSubmitting={form.isSubmitting} fullWidth>
          {t('forgot.submit')}
        </SubmitButton>
      </Stack>
      <BackToSignInLink />
    </AuthCard>
  );
}

function LinkSent({ email, onChangeEmail }: { email: string; onChangeEmail: () => void }) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const requestLink = useRequestResetLink();
  const sendsEmail = useIsEmailEnabled();
  const emailSentTitle = useEmailSentTitle();
  const [sending, setSending] = useState(false);
  const resend = async () => {
    setSending(true);
    await requestLink(email).catch((error: unknown) => toast.error(t('forgot.failed'), errorText(error)));
    setSending(false);
  };
  return (
    <AuthCard title={emailSentTitle(t('forgot.sentTitle'))} text={sendsEmail && t('forgot.sentText', { email })}>
      <EmailsNotSentNotice />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button loading={sending} loadingPosition="start" onClick={() => void resend()}>
          {t('forgot.again')}
        </Button>
        <Button variant="text" onClick={onChangeEmail}>
          {t('forgot.other')}
        </Button>
      </Box>
      <BackToSignInLink />
    </AuthCard>
  );
}

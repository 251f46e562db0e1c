import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { PublicFrame } from '../../../shared/plain/public-frame';
import { EmailsNotSent, usePublicEmailToast, useSendsEmail } from '../../../shared/site/emails-not-sent';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { AuthCard } from '../components/auth-card';
import { ToSignIn } from '../components/to-sign-in';
import { checkEmail } from '../validation';

/** /forgot-password: asks for a mailed link. What it says is the same whether the address has an account or not. */
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
      {sent ? <LinkSent email={email} onOther={() => setSent(false)} /> : <AskForLink email={email} onSent={onSent} />}
    </PublicFrame>
  );
}

/** Sends the mail and says so; failures are the caller's. */
function useAskForLink() {
  const { t } = useTranslation('auth');
  const emailToast = usePublicEmailToast();
  return async (email: string) => {
    const { data } = await api.POST('/api/forgot-password', { body: { email } });
    emailToast(t('forgot.sent'), data?.message);
  };
}

function AskForLink({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const ask = useAskForLink();
  const form = useForm({
    initial: { email },
    validate: (values) => ({ email: checkEmail(values.email) && t('errors.emailAddress') }),
    submit: async (values) => {
      await ask(values.email.trim());
      onSent(values.email.trim());
    },
    onFailure: (error) => toast.error(t('forgot.failed'), errorText(error)),
  });
  return (
    <AuthCard title={t('forgot.title')} text={t('forgot.text')}>
      <Stack component="form" spacing={4} {...form.formProps}>
        <FormField {...form.field('email')} label={t('fields.email')} type="email" autoComplete="email" />
        <SubmitButton sending={form.sending} fullWidth>
          {t('forgot.submit')}
        </SubmitButton>
      </Stack>
      <ToSignIn />
    </AuthCard>
  );
}

function LinkSent({ email, onOther }: { email: string; onOther: () => void }) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const ask = useAskForLink();
  const sendsEmail = useSendsEmail();
  const [sending, setSending] = useState(false);
  const again = async () => {
    setSending(true);
    await ask(email).catch((error: unknown) => toast.error(t('forgot.failed'), errorText(error)));
    setSending(false);
  };
  return (
    <AuthCard title={t('forgot.sentTitle')} text={sendsEmail && t('forgot.sentText', { email })}>
      <EmailsNotSent />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button loading={sending} loadingPosition="start" onClick={() => void again()}>
          {t('forgot.again')}
        </Button>
        <Button variant="text" onClick={onOther}>
          {t('forgot.other')}
        </Button>
      </Box>
      <ToSignIn />
    </AuthCard>
  );
}

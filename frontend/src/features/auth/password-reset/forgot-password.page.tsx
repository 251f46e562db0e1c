import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { PublicButton, PublicSubmitButton } from '../../../shared/public-ui/public-button';
import { PublicField } from '../../../shared/public-ui/public-field';
import { PublicFrame } from '../../../shared/public-ui/public-frame';
import {
  EmailsNotSentNotice,
  useEmailSentTitle,
  usePublicEmailToast,
  useIsEmailEnabled,
} from '../../../shared/site/emails-not-sent-notice';
import { toast } from '../../../shared/toast/toast-store';
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
      <form className="z-form" {...form.formProps}>
        <EmailsNotSentNotice isAhead />
        <PublicField {...form.field('email')} label={t('fields.email')} type="email" autoComplete="email" />
        <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('forgot.submit')}</PublicSubmitButton>
      </form>
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
      <div className="z-auth-actions">
        <PublicButton isPending={sending} onClick={() => void resend()}>
          {t('forgot.again')}
        </PublicButton>
        <button type="button" className="z-button z-button-quiet" onClick={onChangeEmail}>
          {t('forgot.other')}
        </button>
      </div>
      <BackToSignInLink />
    </AuthCard>
  );
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { currentUserQuery, type SignedInUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { CodeField } from '../../../shared/factors/code-field';
import { PublicButton, PublicSubmitButton } from '../../../shared/public-ui/public-button';
import { PublicField } from '../../../shared/public-ui/public-field';
import {
  EmailsNotSentNotice,
  useEmailSentTitle,
  usePublicEmailToast,
  useIsEmailEnabled,
} from '../../../shared/site/emails-not-sent-notice';
import { toast } from '../../../shared/toast/toast-store';
import { AuthCard } from '../components/auth-card';
import type { Factor } from '../components/second-factor-step';
import { validateEmail } from '../validation';
import { pendingEmailSignInStorage } from './pending-email-sign-in-storage';

/** Milliseconds between checks whether this browser was signed in from another tab, while this one is visible. */
const SESSION_POLL_INTERVAL = 4000;

interface Props {
  email: string;
  /** Internal path that the emailed link redirects to; the current page if undefined. */
  next?: string;
  onSignedIn: (user: SignedInUser) => Promise<void>;
  onFactorRequired: (factors: readonly Factor[]) => void;
  onBack: () => void;
}

/** Sign-in by email: asks for the address, then for the code. The link in the email signs in without the code. */
export function EmailSignIn({ email, next, onSignedIn, onFactorRequired, onBack }: Props) {
  const [sentTo, setSentTo] = useState(pendingEmailSignInStorage.get);
  const requestEmail = useRequestSignInEmail(next, setSentTo);
  const handleBack = () => {
    pendingEmailSignInStorage.clear();
    onBack();
  };
  if (sentTo === null) return <EmailForm email={email} onSubmit={requestEmail} onBack={handleBack} />;
  const handleChangeEmail = () => {
    pendingEmailSignInStorage.clear();
    setSentTo(null);
  };
  const handleSignedIn = async (user: SignedInUser) => {
    pendingEmailSignInStorage.clear();
    await onSignedIn(user);
  };
  return (
    <CodeForm
      email={sentTo}
      onResend={() => requestEmail(sentTo)}
      onChangeEmail={handleChangeEmail}
      onSignedIn={handleSignedIn}
      onFactorRequired={onFactorRequired}
      onBack={handleBack}
    />
  );
}

/** Requests the email and remembers the address in this tab; the caller handles errors. */
function useRequestSignInEmail(next: string | undefined, onSent: (email: string) => void) {
  const { pathname, search } = useLocation();
  const returnTo = next ?? pathname + search;
  return async (email: string) => {
    await api.POST('/api/sign-in-mails', { body: { email, ...(returnTo !== '/' && { next: returnTo }) } });
    pendingEmailSignInStorage.save(email);
    onSent(email);
  };
}

interface EmailFormProps {
  email: string;
  onSubmit: (email: string) => Promise<void>;
  onBack: () => void;
}

function EmailForm({ email, onSubmit, onBack }: EmailFormProps) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const form = useForm({
    initial: { email },
    validate: (values) => ({ email: validateEmail(values.email) && t('errors.emailAddress') }),
    submit: (values) => onSubmit(values.email.trim()),
    onFailure: (error) => toast.error(t('byMail.failed'), errorText(error)),
  });
  return (
    <AuthCard title={t('byMail.title')} text={t('byMail.text')}>
      <form className="z-form" {...form.formProps}>
        <EmailsNotSentNotice isAhead />
        <PublicField {...form.field('email')} label={t('fields.email')} type="email" autoComplete="email" autoFocus />
        <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('byMail.submit')}</PublicSubmitButton>
        <button type="button" className="z-button z-button-quiet" onClick={onBack}>
          {t('backToLogin')}
        </button>
      </form>
    </AuthCard>
  );
}

interface CodeFormProps extends Pick<Props, 'onSignedIn' | 'onFactorRequired' | 'onBack'> {
  email: string;
  onResend: () => Promise<void>;
  onChangeEmail: () => void;
}

function CodeForm({ email, onResend, onChangeEmail, onSignedIn, onFactorRequired, onBack }: CodeFormProps) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const [isResending, setIsResending] = useState(false);
  // If the link is opened in another tab, it signs in this one as well; the parent then sees the current user.
  useQuery({ ...currentUserQuery, refetchInterval: SESSION_POLL_INTERVAL, refetchOnWindowFocus: 'always' });
  const form = useForm({
    initial: { code: '' },
    ignoreRepeatedSubmit: true,
    validate: ({ code }) => ({ code: /^\d{6}$/.test(code) ? undefined : t('errors.codeDigits') }),
    submit: async ({ code }) => {
      const { data } = await api.POST('/api/sign-in-codes', { body: { email, code } });
      if (!data) return;
      if ('requiresFactor' in data) onFactorRequired(data.factors);
      else await onSignedIn(data);
    },
    onFailure: (error) => {
      if (hasCode(error, 'CODE_INVALID')) form.showErrors({ code: error.message });
      else toast.error(t('login.failed'), errorText(error));
    },
  });
  const showEmailToast = usePublicEmailToast();
  const sendsEmail = useIsEmailEnabled();
  const emailSentTitle = useEmailSentTitle();
  const resend = async () => {
    setIsResending(true);
    try {
      await onResend();
      showEmailToast(t('byMail.sentAgain'));
    } catch (error) {
      toast.error(t('byMail.failed'), errorText(error));
    }
    setIsResending(false);
  };
  return (
    <AuthCard title={emailSentTitle(t('byMail.sentTitle'))} text={sendsEmail && t('byMail.sentText', { email })}>
      <form className="z-form" {...form.formProps}>
        <EmailsNotSentNotice />
        <CodeField Field={PublicField} form={form} help={t('byMail.codeHelp')} submitWhenComplete />
        <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('login.submit')}</PublicSubmitButton>
        <p className="z-auth-small z-second">{t('byMail.hint')}</p>
        <div className="z-auth-buttons">
          <PublicButton className="z-button-quiet" isPending={isResending} onClick={() => void resend()}>
            {t('byMail.again')}
          </PublicButton>
          <button type="button" className="z-button z-button-quiet" onClick={onChangeEmail}>
            {t('byMail.other')}
          </button>
          <button type="button" className="z-button z-button-quiet" onClick={onBack}>
            {t('backToLogin')}
          </button>
        </div>
      </form>
    </AuthCard>
  );
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, api, type Schema } from '../../../shared/api/client';
import type { SignedInUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { PublicButton, PublicSubmitButton } from '../../../shared/public-ui/public-button';
import { PublicField } from '../../../shared/public-ui/public-field';
import { PublicPasswordField } from '../../../shared/public-ui/public-password-field';
import { EmailsNotSentNotice } from '../../../shared/site/emails-not-sent-notice';
import { toast } from '../../../shared/toast/toast-store';
import type { Factor } from './second-factor-step';

type PendingLink = Schema<'PendingLinkDto'>;

interface Props {
  onSignedIn: (user: SignedInUser) => Promise<void>;
  /** Called if the user has confirmed and a second factor is required. */
  onFactorRequired: (factors: readonly Factor[]) => void;
}

/** Shown when the provider's email address already has an account: its owner must confirm once that it is theirs. */
export function LinkAccount(props: Props) {
  const errorText = useErrorText();
  const { data: link, error } = $api.useQuery('get', '/api/single-sign-on/link', {}, { gcTime: 0, retry: false });
  if (error) {
    return (
      <p className="z-notice z-notice-danger" role="alert">
        {errorText(error)}
      </p>
    );
  }
  if (!link) return <div className="z-skeleton z-auth-skeleton" aria-busy="true" />;
  return <ConfirmLink link={link} {...props} />;
}

function ConfirmLink({ link, ...handlers }: Props & { link: PendingLink }) {
  const { t } = useTranslation('auth');
  const { email, provider, byPassword } = link;
  const [method, setMethod] = useState<'password' | 'code'>(byPassword ? 'password' : 'code');
  return (
    <div className="z-form">
      <p className="z-auth-text">{t('sso.linkText', { email, provider })}</p>
      {method === 'password' ? <ConfirmByPassword {...handlers} /> : <ConfirmByCode email={email} {...handlers} />}
      {byPassword && (
        <button
          type="button"
          className="z-button z-button-quiet"
          onClick={() => setMethod(method === 'password' ? 'code' : 'password')}
        >
          {method === 'password' ? t('sso.byCode') : t('sso.byPassword')}
        </button>
      )}
    </div>
  );
}

function ConfirmByPassword({ onSignedIn, onFactorRequired }: Props) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }) => ({ password: password ? undefined : t('sso.passwordRequired') }),
    submit: async ({ password }) => {
      const { data } = await api.POST('/api/single-sign-on/link', { body: { password } });
      if (!data) return;
      if ('requiresFactor' in data) onFactorRequired(data.factors);
      else await onSignedIn(data);
    },
    onFailure: (error): void => form.showErrors({ password: errorText(error) }),
  });
  return (
    <form className="z-form" {...form.formProps}>
      <PublicPasswordField {...form.field('password')} label={t('fields.password')} autoComplete="current-password" />
      <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('sso.connect')}</PublicSubmitButton>
    </form>
  );
}

function ConfirmByCode({ email, onSignedIn, onFactorRequired }: Props & { email: string }) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const [sending, setSending] = useState(false);
  const [isSent, setIsSent] = useState(false);
  const form = useForm({
    initial: { code: '' },
    ignoreRepeatedSubmit: true,
    validate: ({ code }) => ({ code: /^\d{6}$/.test(code) ? undefined : t('errors.codeDigits') }),
    submit: async ({ code }) => {
      const { data } = await api.POST('/api/single-sign-on/link', { body: { code } });
      if (!data) return;
      if ('requiresFactor' in data) onFactorRequired(data.factors);
      else await onSignedIn(data);
    },
    onFailure: (error): void => form.showErrors({ code: errorText(error) }),
  });
  const sendCode = async () => {
    setSending(true);
    try {
      await api.POST('/api/single-sign-on/link/code');
      setIsSent(true);
    } catch (error) {
      toast.error(t('register.sendFailed'), errorText(error));
    }
    setSending(false);
  };
  if (!isSent) {
    return (
      <div className="z-form">
        <EmailsNotSentNotice isAhead />
        <PublicButton className="z-button-main z-button-wide" isPending={sending} onClick={() => void sendCode()}>
          {t('sso.sendCode')}
        </PublicButton>
      </div>
    );
  }
  return (
    <form className="z-form" {...form.formProps}>
      <EmailsNotSentNotice />
      <PublicField
        {...form.field('code')}
        label={t('fields.code')}
        help={t('help.code', { email })}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        onChange={(event) => form.set('code', event.target.value.replace(/\s/g, '').slice(0, 6))}
      />
      <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('sso.connect')}</PublicSubmitButton>
      <PublicButton className="z-button-quiet" isPending={sending} onClick={() => void sendCode()}>
        {t('register.resend')}
      </PublicButton>
    </form>
  );
}

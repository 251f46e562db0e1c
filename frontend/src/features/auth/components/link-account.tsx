import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, api, type Schema } from '../../../shared/api/client';
import type { SignedInUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { EmailsNotSentNotice } from '../../../shared/site/emails-not-sent-notice';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { PasswordField } from '../../../shared/ui/fields/password-field';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { SubmitButton } from '../../../shared/ui/submit-button';
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
  if (error) return <Alert severity="error">{errorText(error)}</Alert>;
  if (!link) return <RowsSkeleton rows={2} />;
  return <ConfirmLink link={link} {...props} />;
}

function ConfirmLink({ link, ...handlers }: Props & { link: PendingLink }) {
  const { t } = useTranslation('auth');
  const { email, provider, byPassword } = link;
  const [method, setMethod] = useState<'password' | 'code'>(byPassword ? 'password' : 'code');
  return (
    <Stack spacing={4}>
      <Typography sx={{ overflowWrap: 'anywhere' }}>{t('sso.linkText', { email, provider })}</Typography>
      {method === 'password' ? <ConfirmByPassword {...handlers} /> : <ConfirmByCode email={email} {...handlers} />}
      {byPassword && (
        <Button variant="text" onClick={() => setMethod(method === 'password' ? 'code' : 'password')}>
          {method === 'password' ? t('sso.byCode') : t('sso.byPassword')}
        </Button>
      )}
    </Stack>
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
    <Stack component="form" spacing={4} {...form.formProps}>
      <PasswordField {...form.field('password')} label={t('fields.password')} autoComplete="current-password" />
      <SubmitButton isSubmitting={form.isSubmitting} fullWidth>
        {t('sso.connect')}
      </SubmitButton>
    </Stack>
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
      <Stack spacing={4}>
        <EmailsNotSentNotice isAhead />
        <Button
          variant="contained"
          color="primary"
          size="large"
          fullWidth
          loading={sending}
          onClick={() => void sendCode()}
        >
          {t('sso.sendCode')}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack component="form" spacing={4} {...form.formProps}>
      <EmailsNotSentNotice />
      <FormField
        {...form.field('code')}
        label={t('fields.code')}
        help={t('help.code', { email })}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        onChange={(event) => form.set('code', event.target.value.replace(/\s/g, '').slice(0, 6))}
      />
      <SubmitButton isSubmitting={form.isSubmitting} fullWidth>
        {t('sso.connect')}
      </SubmitButton>
      <Button variant="text" loading={sending} onClick={() => void sendCode()}>
        {t('register.resend')}
      </Button>
    </Stack>
  );
}

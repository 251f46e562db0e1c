import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useState, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { HiddenUsername } from '../account/hidden-username';
import { hasCode } from '../api/api-error';
import { api, type Schema } from '../api/client';
import type { CurrentUser } from '../api/current-user';
import { useErrorText } from '../hooks/use-error-text';
import { useForm } from '../forms/use-form';
import { useEmailDelivery } from '../site/email-delivery';
import { PasswordField } from '../ui/fields/password-field';
import { SubmitButton } from '../ui/submit-button';
import { CodeField } from './code-field';
import { askPasskey } from './factors/browser-passkeys';
import { usePasskeyErrorText } from './factors/use-passkey-error-text';
import { contentOf } from './factors/use-factors';

type Way = Schema<'ConfirmationWaysDto'>['ways'][number];

interface Props {
  user: CurrentUser;
  onConfirmed: () => void;
  onCancel: () => void;
  /** Buttons to the other ways. */
  children?: ReactNode;
}

/** How somebody shows that it is them, by each way. */
export const wayForms: Record<Way, ComponentType<Props>> = {
  passkey: ByPasskey,
  totp: ByApp,
  password: ByPassword,
  mail: ByMail,
};

/** Sends what shows who it is. A change, so that a session that ended meanwhile is noticed. */
function useConfirm(onConfirmed: () => void) {
  return useMutation({
    mutationFn: (body: Schema<'ConfirmDto'>) => api.POST('/api/user/confirm', { body }),
    onSuccess: onConfirmed,
    gcTime: 0,
  });
}

function ByPassword({ user, onConfirmed, onCancel, children }: Props) {
  const { t } = useTranslation('identity');
  const confirm = useConfirm(onConfirmed);
  const { failure, setFailure, onFailure } = useFailure();
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }) => (password ? {} : { password: t('confirm.passwordRequired') }),
    submit: async ({ password }) => {
      setFailure(null);
      await confirm.mutateAsync({ password });
    },
    onFailure: (error) => {
      if (hasCode(error, 'WRONG_PASSWORD')) form.fail({ password: error.message });
      else onFailure(error);
    },
  });
  return (
    <form {...form.formProps}>
      <Body failure={failure} others={children}>
        <HiddenUsername email={user.email} />
        <PasswordField
          {...form.field('password')}
          label={t('confirm.password')}
          autoComplete="current-password"
          autoFocus
        />
      </Body>
      <Actions sending={form.sending} onCancel={onCancel} />
    </form>
  );
}

function ByPasskey({ onConfirmed, onCancel, children }: Props) {
  const { t } = useTranslation('identity');
  const passkeyError = usePasskeyErrorText();
  const confirm = useConfirm(onConfirmed);
  const ask = useMutation({
    mutationFn: async () => {
      const options = contentOf((await api.POST('/api/user/confirm/passkey-options')).data);
      return confirm.mutateAsync({ passkey: await askPasskey(options) });
    },
    gcTime: 0,
  });
  return (
    <>
      <Body failure={ask.error && passkeyError(ask.error)} others={children}>
        <Typography>{t('confirm.passkeyText')}</Typography>
      </Body>
      <DialogActions>
        <Cancel onCancel={onCancel} />
        <Button variant="contained" color="primary" loading={ask.isPending} onClick={() => ask.mutate()} autoFocus>
          {t('confirm.passkeyUse')}
        </Button>
      </DialogActions>
    </>
  );
}

function ByApp({ onConfirmed, onCancel, children }: Props) {
  const { t } = useTranslation('identity');
  return (
    <ByCode help={t('confirm.appHelp')} {...{ onConfirmed, onCancel }}>
      {children}
    </ByCode>
  );
}

function ByMail({ user, onConfirmed, onCancel, children }: Props) {
  const { t } = useTranslation('identity');
  const { t: common } = useTranslation();
  const isKept = useEmailDelivery() === 'none';
  const help = isKept ? common('email.noneComes') : t('confirm.mailHelp', { email: user.email });
  const [sent, setSent] = useState(false);
  const { failure, setFailure, onFailure } = useFailure();
  const send = useMutation({
    mutationFn: () => api.POST('/api/user/confirm/mail'),
    onMutate: () => setFailure(null),
    onSuccess: () => setSent(true),
    onError: onFailure,
  });
  if (sent) {
    return (
      <ByCode help={help} {...{ onConfirmed, onCancel }}>
        <Button variant="text" loading={send.isPending} onClick={() => send.mutate()}>
          {t('confirm.mailAgain')}
        </Button>
        {children}
      </ByCode>
    );
  }
  return (
    <>
      <Body failure={failure} others={children}>
        <Typography>{t('confirm.mailText', { email: user.email })}</Typography>
      </Body>
      <DialogActions>
        <Cancel onCancel={onCancel} />
        <Button variant="contained" color="primary" loading={send.isPending} onClick={() => send.mutate()} autoFocus>
          {t('confirm.mailSend')}
        </Button>
      </DialogActions>
    </>
  );
}

function ByCode({ help, onConfirmed, onCancel, children }: Omit<Props, 'user'> & { help: string }) {
  const { t } = useTranslation('identity');
  const confirm = useConfirm(onConfirmed);
  const { failure, setFailure, onFailure } = useFailure();
  const form = useForm({
    initial: { code: '' },
    sendsOnce: true,
    validate: ({ code }) => (/^\d{6}$/.test(code) ? {} : { code: t('code.digits') }),
    submit: async ({ code }) => {
      setFailure(null);
      await confirm.mutateAsync({ code });
    },
    onFailure: (error) => {
      if (hasCode(error, 'CODE_INVALID')) form.fail({ code: error.message });
      else onFailure(error);
    },
  });
  return (
    <form {...form.formProps}>
      <Body failure={failure} others={children}>
        <CodeField form={form} help={help} />
      </Body>
      <Actions sending={form.sending} onCancel={onCancel} />
    </form>
  );
}

function useFailure() {
  const errorText = useErrorText();
  const [failure, setFailure] = useState<string | null>(null);
  return { failure, setFailure, onFailure: (error: unknown) => setFailure(errorText(error)) };
}

function Body({ failure, others, children }: { failure: string | null; others?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation('identity');
  return (
    <DialogContent>
      <Stack spacing={4}>
        <Typography color="textSecondary">{t('confirm.text')}</Typography>
        {failure && <Alert severity="error">{failure}</Alert>}
        {children}
        <Stack sx={{ alignItems: 'flex-start', mx: -2, '&:empty': { display: 'none' } }}>{others}</Stack>
      </Stack>
    </DialogContent>
  );
}

function Actions({ sending, onCancel }: { sending: boolean; onCancel: () => void }) {
  const { t } = useTranslation('identity');
  return (
    <DialogActions>
      <Cancel onCancel={onCancel} />
      <SubmitButton sending={sending}>{t('confirm.submit')}</SubmitButton>
    </DialogActions>
  );
}

function Cancel({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation();
  return <Button onClick={onCancel}>{t('actions.cancel')}</Button>;
}

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
import { FormField } from '../ui/fields/form-field';
import { PasswordField } from '../ui/fields/password-field';
import { SubmitButton } from '../ui/submit-button';
import { CodeField } from '../factors/code-field';
import { requestPasskey } from '../factors/browser-passkeys';
import { usePasskeyErrorText } from '../factors/use-passkey-error-text';
import { requireData } from '../factors/use-factors';

type ReauthenticationMethod = Schema<'ConfirmationWaysDto'>['ways'][number];

interface Props {
  user: CurrentUser;
  onConfirmed: () => void;
  onCancel: () => void;
  /** Buttons for the other methods. */
  children?: ReactNode;
}

/** The form of each method. */
export const methodForms: Record<ReauthenticationMethod, ComponentType<Props>> = {
  passkey: PasskeyForm,
  totp: AuthenticatorAppForm,
  password: PasswordForm,
  mail: EmailCodeForm,
};

/** Sends the confirmation. A mutation, so that an expired session is noticed. */
function useConfirm(onConfirmed: () => void) {
  return useMutation({
    mutationFn: (body: Schema<'ConfirmDto'>) => api.POST('/api/user/confirm', { body }),
    onSuccess: onConfirmed,
    gcTime: 0,
  });
}

function PasswordForm({ user, onConfirmed, onCancel, children }: Props) {
  const { t } = useTranslation('verification');
  const confirm = useConfirm(onConfirmed);
  const { failure, setFailure, onFailure } = useErrorMessage();
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }) => (password ? {} : { password: t('confirm.passwordRequired') }),
    submit: async ({ password }) => {
      setFailure(null);
      await confirm.mutateAsync({ password });
    },
    onFailure: (error) => {
      if (hasCode(error, 'WRONG_PASSWORD')) form.showErrors({ password: error.message });
      else onFailure(error);
    },
  });
  return (
    <form {...form.formProps}>
      <FormBody failure={failure} otherMethods={children}>
        <HiddenUsername email={user.email} />
        <PasswordField
          {...form.field('password')}
          label={t('confirm.password')}
          autoComplete="current-password"
          autoFocus
        />
      </FormBody>
      <FormActions isSubmitting={form.isSubmitting} onCancel={onCancel} />
    </form>
  );
}

function PasskeyForm({ onConfirmed, onCancel, children }: Props) {
  const { t } = useTranslation('verification');
  const passkeyErrorText = usePasskeyErrorText();
  const confirm = useConfirm(onConfirmed);
  const verifyPasskey = useMutation({
    mutationFn: async () => {
      const options = requireData((await api.POST('/api/user/confirm/passkey-options')).data);
      return confirm.mutateAsync({ passkey: await requestPasskey(options) });
    },
    gcTime: 0,
  });
  return (
    <>
      <FormBody failure={verifyPasskey.error && passkeyErrorText(verifyPasskey.error)} otherMethods={children}>
        <Typography>{t('confirm.passkeyText')}</Typography>
      </FormBody>
      <DialogActions>
        <CancelButton onCancel={onCancel} />
        <Button
          variant="contained"
          color="primary"
          loading={verifyPasskey.isPending}
          onClick={() => verifyPasskey.mutate()}
          autoFocus
        >
          {t('confirm.passkeyUse')}
        </Button>
      </DialogActions>
    </>
  );
}

function AuthenticatorAppForm({ onConfirmed, onCancel, children }: Props) {
  const { t } = useTranslation('verification');
  return (
    <CodeForm help={t('confirm.appHelp')} {...{ onConfirmed, onCancel }}>
      {children}
    </CodeForm>
  );
}

function EmailCodeForm({ user, onConfirmed, onCancel, children }: Props) {
  const { t } = useTranslation('verification');
  const { t: tCommon } = useTranslation();
  const isDeliveryOff = useEmailDelivery() === 'none';
  const help = isDeliveryOff ? tCommon('email.noneComes') : t('confirm.mailHelp', { email: user.email });
  const [isSent, setIsSent] = useState(false);
  const { failure, setFailure, onFailure } = useErrorMessage();
  const sendCode = useMutation({
    mutationFn: () => api.POST('/api/user/confirm/mail'),
    onMutate: () => setFailure(null),
    onSuccess: () => setIsSent(true),
    onError: onFailure,
  });
  if (isSent) {
    return (
      <CodeForm help={help} {...{ onConfirmed, onCancel }}>
        <Button variant="text" loading={sendCode.isPending} onClick={() => sendCode.mutate()}>
          {t('confirm.mailAgain')}
        </Button>
        {children}
      </CodeForm>
    );
  }
  return (
    <>
      <FormBody failure={failure} otherMethods={children}>
        <Typography>{t('confirm.mailText', { email: user.email })}</Typography>
      </FormBody>
      <DialogActions>
        <CancelButton onCancel={onCancel} />
        <Button
          variant="contained"
          color="primary"
          loading={sendCode.isPending}
          onClick={() => sendCode.mutate()}
          autoFocus
        >
          {t('confirm.mailSend')}
        </Button>
      </DialogActions>
    </>
  );
}

function CodeForm({ help, onConfirmed, onCancel, children }: Omit<Props, 'user'> & { help: string }) {
  const { t } = useTranslation('verification');
  const confirm = useConfirm(onConfirmed);
  const { failure, setFailure, onFailure } = useErrorMessage();
  const form = useForm({
    initial: { code: '' },
    ignoreRepeatedSubmit: true,
    validate: ({ code }) => (/^\d{6}$/.test(code) ? {} : { code: t('code.digits') }),
    submit: async ({ code }) => {
      setFailure(null);
      await confirm.mutateAsync({ code });
    },
    onFailure: (error) => {
      if (hasCode(error, 'CODE_INVALID')) form.showErrors({ code: error.message });
      else onFailure(error);
    },
  });
  return (
    <form {...form.formProps}>
      <FormBody failure={failure} otherMethods={children}>
        <CodeField Field={FormField} form={form} help={help} />
      </FormBody>
      <FormActions isSubmitting={form.isSubmitting} onCancel={onCancel} />
    </form>
  );
}

function useErrorMessage() {
  const errorText = useErrorText();
  const [failure, setFailure] = useState<string | null>(null);
  return { failure, setFailure, onFailure: (error: unknown) => setFailure(errorText(error)) };
}

function FormBody({
  failure,
  otherMethods,
  children,
}: {
  failure: string | null;
  otherMethods?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation('verification');
  return (
    <DialogContent>
      <Stack spacing={4}>
        <Typography color="textSecondary">{t('confirm.text')}</Typography>
        {failure && <Alert severity="error">{failure}</Alert>}
        {children}
        <Stack sx={{ alignItems: 'flex-start', mx: -2, '&:empty': { display: 'none' } }}>{otherMethods}</Stack>
      </Stack>
    </DialogContent>
  );
}

function FormActions({ isSubmitting, onCancel }: { isSubmitting: boolean; onCancel: () => void }) {
  const { t } = useTranslation('verification');
  return (
    <DialogActions>
      <CancelButton onCancel={onCancel} />
      <SubmitButton isSubmitting={isSubmitting}>{t('confirm.submit')}</SubmitButton>
    </DialogActions>
  );
}

function CancelButton({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation();
  return <Button onClick={onCancel}>{t('actions.cancel')}</Button>;
}

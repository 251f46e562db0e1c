import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import { api, type Schema } from '../../../shared/api/client';
import type { SignedInUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { CodeField } from '../../../shared/identity/code-field';
import { askPasskey, knowsPasskeys, troubleOf } from '../../../shared/identity/factors/browser-passkeys';
import { usePasskeyErrorText } from '../../../shared/identity/factors/use-passkey-error-text';
import { contentOf } from '../../../shared/identity/factors/use-factors';
import { useSite } from '../../../shared/site/use-site';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';

export type Factor = Schema<'FactorRequiredDto'>['factors'][number];

interface Props {
  /** By what it can be shown who one is, the quickest first. */
  factors: readonly Factor[];
  onSignedIn: (user: SignedInUser) => Promise<void>;
  /** Back to the first step: on one's own wish, or because the sign-in took too long. */
  onBack: () => void;
}

type StepProps = Pick<Props, 'onSignedIn' | 'onBack'>;

const forms: Record<Factor, ComponentType<StepProps>> = { passkey: ByPasskey, totp: ByApp, recovery: ByRecoveryCode };

/** The second step of signing in: something that only the person has. */
export function SecondStep({ factors, ...rest }: Props) {
  const { t } = useTranslation('auth');
  // A passkey is no way in a browser that knows none, unless nothing else is there.
  const usable = factors.filter((factor) => factor !== 'passkey' || knowsPasskeys());
  const known = usable.length > 0 ? usable : factors;
  const [way, choose] = useState(known[0]!);
  const Form = forms[way];
  return (
    <Stack spacing={4}>
      <Form key={way} {...rest} />
      <Stack sx={{ alignItems: 'center' }}>
        {known
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} variant="text" onClick={() => choose(other)}>
              {t(`second.use.${other}`)}
            </Button>
          ))}
        <Button variant="text" onClick={rest.onBack}>
          {t('backToLogin')}
        </Button>
      </Stack>
      <Lost hasCodes={factors.includes('recovery')} />
    </Stack>
  );
}

function ByPasskey(props: StepProps) {
  const { t } = useTranslation('auth');
  const passkeyError = usePasskeyErrorText();
  const { failure, send } = useSecondStep(props);
  const [asking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const ask = async () => {
    setAsking(true);
    setRefusal(null);
    try {
      const options = contentOf((await api.POST('/api/login/factor/passkey-options')).data);
      await send({ passkey: await askPasskey(options) });
    } catch (error) {
      if (troubleOf(error)) setRefusal(passkeyError(error));
      else failure(error, setRefusal);
      setAsking(false);
    }
  };
  return (
    <Stack spacing={4}>
      <Typography color="textSecondary">{t('second.passkeyText')}</Typography>
      {refusal && <Alert severity="error">{refusal}</Alert>}
      <Button variant="contained" color="primary" fullWidth autoFocus loading={asking} onClick={() => void ask()}>
        {t('second.use.passkey')}
      </Button>
    </Stack>
  );
}

function ByApp(props: StepProps) {
  const { t } = useTranslation('auth');
  const { t: identity } = useTranslation('identity');
  const { failure, send } = useSecondStep(props);
  const form = useForm({
    initial: { code: '' },
    sendsOnce: true,
    validate: ({ code }) => (/^\d{6}$/.test(code) ? {} : { code: identity('code.digits') }),
    submit: ({ code }) => send({ code }),
    onFailure: (error) => failure(error, (sentence) => form.fail({ code: sentence })),
  });
  return (
    <Stack component="form" spacing={4} {...form.formProps}>
      <CodeField form={form} help={t('second.appHelp')} sendWhenComplete />
      <SubmitButton sending={form.sending} fullWidth>
        {t('login.submit')}
      </SubmitButton>
    </Stack>
  );
}

function ByRecoveryCode(props: StepProps) {
  const { t } = useTranslation('auth');
  const { t: identity } = useTranslation('identity');
  const { failure, send } = useSecondStep(props);
  const form = useForm({
    initial: { recoveryCode: '' },
    validate: ({ recoveryCode }) => (recoveryCode.trim() ? {} : { recoveryCode: identity('codes.required') }),
    submit: ({ recoveryCode }) => send({ recoveryCode: recoveryCode.trim() }),
    onFailure: (error) => failure(error, (sentence) => form.fail({ recoveryCode: sentence })),
  });
  return (
    <Stack component="form" spacing={4} {...form.formProps}>
      <FormField
        {...form.field('recoveryCode')}
        label={identity('codes.label')}
        help={t('second.recoveryHelp')}
        autoComplete="off"
        autoFocus
      />
      <SubmitButton sending={form.sending} fullWidth>
        {t('login.submit')}
      </SubmitButton>
    </Stack>
  );
}

/** Sends what was given, and tells what came of it. */
function useSecondStep({ onSignedIn, onBack }: StepProps) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  return {
    send: async (body: Schema<'FactorSignInDto'>) =>
      onSignedIn(contentOf((await api.POST('/api/login/factor', { body })).data)),
    failure: (error: unknown, atField: (sentence: string) => void) => {
      if (hasCode(error, 'SIGN_IN_OVER')) {
        toast.error(t('login.failed'), error.message);
        onBack();
      } else if (hasCode(error, 'CODE_INVALID', 'PASSKEY_INVALID')) atField(error.message);
      else toast.error(t('login.failed'), errorText(error));
    },
  };
}

/** What can be done by somebody who has none of it any more. */
function Lost({ hasCodes }: { hasCodes: boolean }) {
  const { t } = useTranslation('auth');
  const [open, setOpen] = useState(false);
  const contact = useSite().data?.contactEmail;
  if (!open) {
    return (
      <Button variant="text" size="small" sx={{ alignSelf: 'center' }} onClick={() => setOpen(true)}>
        {t('second.lost')}
      </Button>
    );
  }
  return (
    <Alert severity="info" role="status">
      {hasCodes && <Typography sx={{ mb: 2 }}>{t('second.lostCodes')}</Typography>}
      <Typography>
        {t('second.lostAsk')} {contact && <Link href={`mailto:${contact}`}>{contact}</Link>}
      </Typography>
    </Alert>
  );
}

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
import { CodeField } from '../../../shared/factors/code-field';
import { requestPasskey, supportsPasskeys, passkeyErrorTypeOf } from '../../../shared/factors/browser-passkeys';
import { usePasskeyErrorText } from '../../../shared/factors/use-passkey-error-text';
import { requireData } from '../../../shared/factors/use-factors';
import { useSite } from '../../../shared/site/use-site';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';

export type Factor = Schema<'FactorRequiredDto'>['factors'][number];

interface Props {
  /** The available factors, quickest first. */
  factors: readonly Factor[];
  onSignedIn: (user: SignedInUser) => Promise<void>;
  /** Returns to the first step: the user cancelled, or the sign-in expired. */
  onBack: () => void;
}

type StepProps = Pick<Props, 'onSignedIn' | 'onBack'>;

const factorForms: Record<Factor, ComponentType<StepProps>> = {
  passkey: PasskeyForm,
  totp: AuthenticatorAppForm,
  recovery: RecoveryCodeForm,
};

/** The second step of signing in, with a second factor. */
export function SecondFactorStep({ factors, ...rest }: Props) {
  const { t } = useTranslation('auth');
  // Hides passkeys in browsers that don't support them, unless there is no other factor.
  const supportedFactors = factors.filter((factor) => factor !== 'passkey' || supportsPasskeys());
  const availableFactors = supportedFactors.length > 0 ? supportedFactors : factors;
  const [selectedFactor, setSelectedFactor] = useState(availableFactors[0]!);
  const Form = factorForms[selectedFactor];
  return (
    <Stack spacing={4}>
      <Form key={selectedFactor} {...rest} />
      <Stack sx={{ alignItems: 'center' }}>
        {availableFactors
          .filter((other) => other !== selectedFactor)
          .map((other) => (
            <Button key={other} variant="text" onClick={() => setSelectedFactor(other)}>
              {t(`second.use.${other}`)}
            </Button>
          ))}
        <Button variant="text" onClick={rest.onBack}>
          {t('backToLogin')}
        </Button>
      </Stack>
      <LostFactorsHelp hasCodes={factors.includes('recovery')} />
    </Stack>
  );
}

function PasskeyForm(props: StepProps) {
  const { t } = useTranslation('auth');
  const passkeyError = usePasskeyErrorText();
  const { handleError, submitFactor } = useSecondFactorSubmit(props);
  const [isPending, setIsPending] = useState(false);
  const [errorMessage, setErrorMessage] = useState<string | null>(null);
  const verifyPasskey = async () => {
    setIsPending(true);
    setErrorMessage(null);
    try {
      const options = requireData((await api.POST('/api/login/factor/passkey-options')).data);
      await submitFactor({ passkey: await requestPasskey(options) });
    } catch (error) {
      if (passkeyErrorTypeOf(error)) setErrorMessage(passkeyError(error));
      else handleError(error, setErrorMessage);
      setIsPending(false);
    }
  };
  return (
    <Stack spacing={4}>
      <Typography color="textSecondary">{t('second.passkeyText')}</Typography>
      {errorMessage && <Alert severity="error">{errorMessage}</Alert>}
      <Button
        variant="contained"
        color="primary"
        fullWidth
        autoFocus
        loading={isPending}
        onClick={() => void verifyPasskey()}
      >
        {t('second.use.passkey')}
      </Button>
    </Stack>
  );
}

function AuthenticatorAppForm(props: StepProps) {
  const { t } = useTranslation('auth');
  const { t: tVerification } = useTranslation('verification');
  const { handleError, submitFactor } = useSecondFactorSubmit(props);
  const form = useForm({
    initial: { code: '' },
    ignoreRepeatedSubmit: true,
    validate: ({ code }) => (/^\d{6}$/.test(code) ? {} : { code: tVerification('code.digits') }),
    submit: ({ code }) => submitFactor({ code }),
    onFailure: (error) => handleError(error, (sentence) => form.showErrors({ code: sentence })),
  });
  return (
    <Stack component="form" spacing={4} {...form.formProps}>
      <CodeField form={form} help={t('second.appHelp')} submitWhenComplete />
      <SubmitButton isSubmitting={form.isSubmitting} fullWidth>
        {t('login.submit')}
      </SubmitButton>
    </Stack>
  );
}

function RecoveryCodeForm(props: StepProps) {
  const { t } = useTranslation('auth');
  const { t: tVerification } = useTranslation('verification');
  const { handleError, submitFactor } = useSecondFactorSubmit(props);
  const form = useForm({
    initial: { recoveryCode: '' },
    validate: ({ recoveryCode }) => (recoveryCode.trim() ? {} : { recoveryCode: tVerification('codes.required') }),
    submit: ({ recoveryCode }) => submitFactor({ recoveryCode: recoveryCode.trim() }),
    onFailure: (error) => handleError(error, (sentence) => form.showErrors({ recoveryCode: sentence })),
  });
  return (
    <Stack component="form" spacing={4} {...form.formProps}>
      <FormField
        {...form.field('recoveryCode')}
        label={tVerification('codes.label')}
        help={t('second.recoveryHelp')}
        autoComplete="off"
        autoFocus
      />
      <SubmitButton isSubmitting={form.isSubmitting} fullWidth>
        {t('login.submit')}
      </SubmitButton>
    </Stack>
  );
}

/** Submits the factor and handles the result. */
function useSecondFactorSubmit({ onSignedIn, onBack }: StepProps) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  return {
    submitFactor: async (body: Schema<'FactorSignInDto'>) =>
      onSignedIn(requireData((await api.POST('/api/login/factor', { body })).data)),
    handleError: (error: unknown, showFieldError: (sentence: string) => void) => {
      if (hasCode(error, 'SIGN_IN_OVER')) {
        toast.error(t('login.failed'), error.message);
        onBack();
      } else if (hasCode(error, 'CODE_INVALID', 'PASSKEY_INVALID')) showFieldError(error.message);
      else toast.error(t('login.failed'), errorText(error));
    },
  };
}

/** Help for users who have lost all their factors. */
function LostFactorsHelp({ hasCodes }: { hasCodes: boolean }) {
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

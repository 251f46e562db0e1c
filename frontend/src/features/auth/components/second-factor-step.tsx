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
import { PublicButton, PublicSubmitButton } from '../../../shared/public-ui/public-button';
import { PublicField } from '../../../shared/public-ui/public-field';
import { useSite } from '../../../shared/site/use-site';
import { toast } from '../../../shared/toast/toast-store';

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
    <div className="z-form">
      <Form key={selectedFactor} {...rest} />
      <div className="z-auth-buttons-stacked">
        {availableFactors
          .filter((other) => other !== selectedFactor)
          .map((other) => (
            <button
              key={other}
              type="button"
              className="z-button z-button-quiet"
              onClick={() => setSelectedFactor(other)}
            >
              {t(`second.use.${other}`)}
            </button>
          ))}
        <button type="button" className="z-button z-button-quiet" onClick={rest.onBack}>
          {t('backToLogin')}
        </button>
        <LostFactorsHelp hasCodes={factors.includes('recovery')} />
      </div>
    </div>
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
    <div className="z-form">
      <p className="z-second">{t('second.passkeyText')}</p>
      {errorMessage && (
        <p className="z-notice z-notice-danger" role="alert">
          {errorMessage}
        </p>
      )}
      <PublicButton
        className="z-button-main z-button-wide"
        autoFocus
        isPending={isPending}
        onClick={() => void verifyPasskey()}
      >
        {t('second.use.passkey')}
      </PublicButton>
    </div>
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
    <form className="z-form" {...form.formProps}>
      <CodeField Field={PublicField} form={form} help={t('second.appHelp')} submitWhenComplete />
      <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('login.submit')}</PublicSubmitButton>
    </form>
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
    <form className="z-form" {...form.formProps}>
      <PublicField
        {...form.field('recoveryCode')}
        label={tVerification('codes.label')}
        help={t('second.recoveryHelp')}
        autoComplete="off"
        autoFocus
      />
      <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('login.submit')}</PublicSubmitButton>
    </form>
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
      <button type="button" className="z-button z-button-quiet" onClick={() => setOpen(true)}>
        {t('second.lost')}
      </button>
    );
  }
  return (
    <div className="z-notice" role="status">
      {hasCodes && <p>{t('second.lostCodes')}</p>}
      <p>
        {t('second.lostAsk')}{' '}
        {contact && (
          <a className="z-link" href={`mailto:${contact}`}>
            {contact}
          </a>
        )}
      </p>
    </div>
  );
}

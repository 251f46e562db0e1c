import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PublicFrame } from '../../shared/public-ui/public-frame';
import { useEmailSentTitle } from '../../shared/site/emails-not-sent-notice';
import { ProductBenefits } from './components/product-benefits';
import { AuthCard } from './components/auth-card';
import { RegisterForm } from './components/register-form';
import { LinkAccount } from './components/link-account';
import { SecondFactorStep, type Factor } from './components/second-factor-step';
import { SignInForm } from './components/sign-in-form';
import { AlternativeSignInMethods } from './components/alternative-sign-in-methods';
import { PasskeySignInButton } from './components/passkey-sign-in';
import { SingleSignOnError, SingleSignOnButton } from './components/single-sign-on';
import { EmailSignIn } from './email-sign-in/email-sign-in';
import { pendingEmailSignInStorage } from './email-sign-in/pending-email-sign-in-storage';
import { useSignInCompletion } from './use-sign-in-completion';

export type AuthMode = 'login' | 'register';

interface Props {
  mode?: AuthMode;
  email?: string;
  /** The user signs in with a temporary password and must set their own. */
  isTemporaryPassword?: boolean;
  /** Where to go after success; without it the page stays and shows what was requested. */
  destination?: string;
  /** Result of a single sign-on attempt: `link`, or an error code. */
  ssoResult?: string | null;
  /** Second factors required by a sign-in that was started elsewhere. */
  pendingFactors?: readonly Factor[] | null;
  /** Called just before the user becomes the current user. */
  onSignedIn?: () => void;
}

/** Sign-in and registration. Also shown in place of any page that requires a signed-in user. */
export function AuthScreen({ mode = 'login', ...rest }: Props) {
  return (
    <PublicFrame centred="wide">
      <AuthContent mode={mode} {...rest} />
    </PublicFrame>
  );
}

function AuthContent({ mode: initialMode, email = '', isTemporaryPassword = false, ...rest }: Props) {
  const { t } = useTranslation('auth');
  const [mode, setMode] = useState(initialMode);
  const [step, setStep] = useState<'details' | 'code'>('details');
  const { destination, ssoResult = null, pendingFactors = null, onSignedIn } = rest;
  const [isLinking, setIsLinking] = useState(ssoResult === 'link');
  const [factors, setFactors] = useState<readonly Factor[] | null>(pendingFactors);
  /** Address of the sign-in email; null while another method is shown. */
  const [emailSignInAddress, setEmailSignInAddress] = useState(pendingEmailSignInStorage.get);
  const completion = useSignInCompletion({ isTemporaryPassword, destination, onSignedIn });
  const emailSentTitle = useEmailSentTitle();
  const isRegistering = mode === 'register';
  const title = !isRegistering
    ? t('title.login')
    : step === 'code'
      ? emailSentTitle(t('title.code'))
      : t('title.register');
  const switchMode = () => {
    setMode(isRegistering ? 'login' : 'register');
    setStep('details');
  };
  if (factors) {
    return (
      <AuthCard title={t('second.title')} text={t('second.text')}>
        <SecondFactorStep factors={factors} onSignedIn={completion.completeSignIn} onBack={() => setFactors(null)} />
      </AuthCard>
    );
  }
  if (isLinking) {
    return (
      <AuthCard title={t('sso.linkTitle')}>
        <LinkAccount onSignedIn={completion.completeSignIn} onFactorRequired={setFactors} />
        <button
          type="button"
          className="z-button z-button-quiet z-button-wide z-auth-back"
          onClick={() => setIsLinking(false)}
        >
          {t('backToLogin')}
        </button>
      </AuthCard>
    );
  }
  if (emailSignInAddress !== null && !isRegistering) {
    return (
      <EmailSignIn
        email={emailSignInAddress}
        next={destination}
        onSignedIn={completion.completeSignIn}
        onFactorRequired={setFactors}
        onBack={() => setEmailSignInAddress(null)}
      />
    );
  }
  return (
    <div className="z-auth-content">
      <AuthCard title={title}>
        {ssoResult !== null && ssoResult !== 'link' && <SingleSignOnError code={ssoResult} />}
        {isRegistering ? (
          <RegisterForm
            email={email}
            onStepChange={setStep}
            onRegistered={completion.completeRegistration}
            onFactorRequired={setFactors}
          />
        ) : (
          <SignInForm
            email={email}
            isTemporaryPassword={isTemporaryPassword}
            onSignedIn={completion.completeSignIn}
            onFactorRequired={setFactors}
            onUseEmail={isTemporaryPassword ? undefined : setEmailSignInAddress}
          />
        )}
        {step === 'details' && (
          <AlternativeSignInMethods>
            {!isRegistering && !isTemporaryPassword && <PasskeySignInButton onSignedIn={completion.completeSignIn} />}
            <SingleSignOnButton next={destination} />
          </AlternativeSignInMethods>
        )}
        <p className="z-auth-switch z-second">
          {isRegistering ? t('switch.toLogin') : t('switch.toRegister')}{' '}
          <button type="button" className="z-button z-button-quiet" onClick={switchMode}>
            {isRegistering ? t('switch.login') : t('switch.register')}
          </button>
        </p>
      </AuthCard>
      <ProductBenefits />
    </div>
  );
}

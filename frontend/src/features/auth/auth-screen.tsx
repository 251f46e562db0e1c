import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PublicFrame } from '../../shared/plain/public-frame';
import { Advantages } from './components/advantages';
import { AuthCard } from './components/auth-card';
import { RegisterForm } from './components/register-form';
import { LinkAccount } from './components/link-account';
import { SecondStep, type Factor } from './components/second-step';
import { SignInForm } from './components/sign-in-form';
import { OtherWays } from './components/other-ways';
import { PasskeySignIn } from './components/passkey-sign-in';
import { SignOnFailure, SingleSignOn } from './components/single-sign-on';
import { MailSignIn } from './by-mail/mail-sign-in';
import { mailedTo } from './by-mail/mailed-to';
import { useEnter } from './use-enter';

export type AuthMode = 'login' | 'register';

interface Props {
  mode?: AuthMode;
  email?: string;
  /** The person comes with a temporary password and is to set one of their own. */
  temporary?: boolean;
  /** Where to go after success; without it the page stays where it is and shows what was asked for. */
  destination?: string;
  /** What came of signing in by a provider: `link`, or the code of a failure. */
  signOn?: string | null;
  /** What a sign-in that was begun elsewhere still asks for. */
  waiting?: readonly Factor[] | null;
  /** Told just before the person becomes the current one. */
  onSignedIn?: () => void;
}

/** Sign-in and registration. It also stands in for any page that needs somebody signed in. */
export function AuthScreen({ mode = 'login', ...rest }: Props) {
  return (
    <PublicFrame centred="wide">
      <AuthContent mode={mode} {...rest} />
    </PublicFrame>
  );
}

function AuthContent({ mode: initialMode, email = '', temporary = false, ...rest }: Props) {
  const { t } = useTranslation('auth');
  const [mode, setMode] = useState(initialMode);
  const [step, setStep] = useState<'details' | 'code'>('details');
  const { destination, signOn = null, waiting = null, onSignedIn } = rest;
  const [linking, setLinking] = useState(signOn === 'link');
  const [factors, setFactors] = useState<readonly Factor[] | null>(waiting);
  /** The address to which a mail to sign in goes; null while another way is shown. */
  const [mailing, setMailing] = useState(mailedTo.get);
  const enter = useEnter({ temporary, destination, onSignedIn });
  const registering = mode === 'register';
  const title = !registering ? t('title.login') : step === 'code' ? t('title.code') : t('title.register');
  const change = () => {
    setMode(registering ? 'login' : 'register');
    setStep('details');
  };
  if (factors) {
    return (
      <AuthCard title={t('second.title')} text={t('second.text')}>
        <SecondStep factors={factors} onSignedIn={enter.signedIn} onBack={() => setFactors(null)} />
      </AuthCard>
    );
  }
  if (linking) {
    return (
      <AuthCard title={t('sso.linkTitle')}>
        <LinkAccount onSignedIn={enter.signedIn} onFactors={setFactors} />
        <Button variant="text" fullWidth sx={{ mt: 2 }} onClick={() => setLinking(false)}>
          {t('backToLogin')}
        </Button>
      </AuthCard>
    );
  }
  if (mailing !== null && !registering) {
    return (
      <MailSignIn
        email={mailing}
        next={destination}
        onSignedIn={enter.signedIn}
        onFactors={setFactors}
        onBack={() => setMailing(null)}
      />
    );
  }
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'center', gap: 16 }}>
      <AuthCard title={title}>
        {signOn !== null && signOn !== 'link' && <SignOnFailure code={signOn} />}
        {registering ? (
          <RegisterForm email={email} onStep={setStep} onRegistered={enter.registered} onFactors={setFactors} />
        ) : (
          <SignInForm
            email={email}
            temporary={temporary}
            onSignedIn={enter.signedIn}
            onFactors={setFactors}
            onMail={temporary ? undefined : setMailing}
          />
        )}
        {step === 'details' && (
          <OtherWays>
            {!registering && !temporary && <PasskeySignIn onSignedIn={enter.signedIn} />}
            <SingleSignOn next={destination} />
          </OtherWays>
        )}
        <Typography sx={{ mt: 4, textAlign: 'center' }} color="textSecondary">
          {registering ? t('switch.toLogin') : t('switch.toRegister')}{' '}
          <Button variant="text" onClick={change} sx={{ textDecoration: 'underline', px: 1 }}>
            {registering ? t('switch.login') : t('switch.register')}
          </Button>
        </Typography>
      </AuthCard>
      <Advantages />
    </Box>
  );
}

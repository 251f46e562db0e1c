import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { SignedInUser } from '../../shared/api/current-user';
import { enterSession } from '../../shared/api/sign-in';
import { PublicFrame } from '../../shared/plain/public-frame';
import { toast } from '../../shared/toast/toast-store';
import { Advantages } from './components/advantages';
import { AuthCard } from './components/auth-card';
import { RegisterForm } from './components/register-form';
import { SignInForm } from './components/sign-in-form';
import { storedInvite } from '../../shared/account/stored-invite';

export type AuthMode = 'login' | 'register';

interface Props {
  mode?: AuthMode;
  email?: string;
  /** The person comes with a temporary password and is to set one of their own. */
  temporary?: boolean;
  /** Where to go after success; without it the page stays where it is and shows what was asked for. */
  destination?: string;
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

function AuthContent({ mode: initialMode, email = '', temporary = false, destination, onSignedIn }: Props) {
  const { t } = useTranslation('auth');
  const [mode, setMode] = useState(initialMode);
  const [step, setStep] = useState<'details' | 'code'>('details');
  const enter = useEnter({ temporary, destination, onSignedIn });
  const registering = mode === 'register';
  const title = !registering ? t('title.login') : step === 'code' ? t('title.code') : t('title.register');
  const change = () => {
    setMode(registering ? 'login' : 'register');
    setStep('details');
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'center', gap: 16 }}>
      <AuthCard title={title}>
        {registering ? (
          <RegisterForm email={email} onStep={setStep} onRegistered={enter.registered} />
        ) : (
          <SignInForm email={email} temporary={temporary} onSignedIn={enter.signedIn} />
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

/** What follows a success: the person becomes the current one and is led to where they must or want to go. */
function useEnter({ temporary, destination, onSignedIn }: Pick<Props, 'temporary' | 'destination' | 'onSignedIn'>) {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const queries = useQueryClient();

  const enter = async (to: string | undefined) => {
    onSignedIn?.();
    await enterSession(queries);
    if (to !== undefined) await navigate(to, { replace: true });
  };

  return {
    registered: () => enter(destination),
    signedIn: (user: SignedInUser) => {
      const setPassword = `/change-password?email=${encodeURIComponent(user.email)}`;
      const invite = storedInvite.get();
      const toInvite = invite ? `/invite/${encodeURIComponent(invite)}` : undefined;
      if (user.needsProfileCompletion && !temporary) {
        toast.show({ title: t('login.completeProfile'), message: t('login.completeProfileText') });
        return enter(toInvite ?? setPassword);
      }
      if (temporary) {
        toast.show({ title: t('login.setPassword'), message: t('login.setPasswordText') });
        return enter(setPassword);
      }
      toast.success(t('login.welcome'), t('login.welcomeText'));
      return enter(toInvite ?? destination);
    },
  };
}

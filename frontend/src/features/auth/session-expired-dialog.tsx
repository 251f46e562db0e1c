import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentUser, SignedInUser } from '../../shared/api/current-user';
import { loadNewSession, resumeSession } from '../../shared/api/session';
import { Logo } from '../../shared/public-ui/logo';
import { AuthCard } from './components/auth-card';
import { AlternativeSignInMethods } from './components/alternative-sign-in-methods';
import { PasskeySignInButton } from './components/passkey-sign-in';
import { SecondFactorStep, type Factor } from './components/second-factor-step';
import { SignInForm } from './components/sign-in-form';

/**
 * Covers a page whose session has expired. The page keeps its state and input, and is shown again when the same user
 * has signed in; for a different user it is remounted.
 */
export function SessionExpiredDialog({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('auth');
  const queryClient = useQueryClient();
  const [factors, setFactors] = useState<readonly Factor[] | null>(null);
  const handleSignedIn = (signedInUser: SignedInUser) =>
    signedInUser.id === user.id ? resumeSession(queryClient) : loadNewSession(queryClient);
  return (
    <Dialog
      open
      fullScreen
      transitionDuration={0}
      slotProps={{
        paper: {
          'aria-label': t('ended.title'),
          sx: { '&&': { m: 0, width: 1, maxWidth: 'none', border: 0, borderRadius: 0, bgcolor: 'background.default' } },
        },
      }}
    >
      <Box sx={{ display: 'grid', gap: 6, justifyItems: 'center', alignContent: 'center', minHeight: '100%', p: 4 }}>
        <Logo />
        {factors ? (
          <AuthCard title={t('second.title')} text={t('second.text')}>
            <SecondFactorStep factors={factors} onSignedIn={handleSignedIn} onBack={() => setFactors(null)} />
          </AuthCard>
        ) : (
          <AuthCard title={t('ended.title')} text={t('ended.text')}>
            <SignInForm
              email={user.email}
              autoFocusPassword
              onSignedIn={handleSignedIn}
              onFactorRequired={setFactors}
            />
            <AlternativeSignInMethods>
              <PasskeySignInButton onSignedIn={handleSignedIn} />
            </AlternativeSignInMethods>
          </AuthCard>
        )}
      </Box>
    </Dialog>
  );
}

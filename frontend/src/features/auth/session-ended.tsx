import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentUser, SignedInUser } from '../../shared/api/current-user';
import { enterSession, resumeSession } from '../../shared/api/sign-in';
import { Logo } from '../../shared/plain/logo';
import { AuthCard } from './components/auth-card';
import { OtherWays } from './components/other-ways';
import { PasskeySignIn } from './components/passkey-sign-in';
import { SecondStep, type Factor } from './components/second-step';
import { SignInForm } from './components/sign-in-form';

/**
 * Covers a page whose session ended under it. The page stays as it is, with whatever was typed, and is there again when
 * the same person has signed in; for anybody else it is made anew.
 */
export function SessionEnded({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('auth');
  const queries = useQueryClient();
  const [factors, setFactors] = useState<readonly Factor[] | null>(null);
  const enter = (next: SignedInUser) => (next.id === user.id ? resumeSession(queries) : enterSession(queries));
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
            <SecondStep factors={factors} onSignedIn={enter} onBack={() => setFactors(null)} />
          </AuthCard>
        ) : (
          <AuthCard title={t('ended.title')} text={t('ended.text')}>
            <SignInForm email={user.email} startAtPassword onSignedIn={enter} onFactors={setFactors} />
            <OtherWays>
              <PasskeySignIn onSignedIn={enter} />
            </OtherWays>
          </AuthCard>
        )}
      </Box>
    </Dialog>
  );
}

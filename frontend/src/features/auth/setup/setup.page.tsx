import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { ReauthenticationPrompt } from '../../../app/layout/reauthentication-prompt';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { useCurrentUser, type CurrentUser } from '../../../shared/api/current-user';
import { loadNewSession } from '../../../shared/api/session';
import { useInstallation } from '../../../shared/installation/use-installation';
import { PublicError } from '../../../shared/public-ui/public-error';
import { PublicFrame } from '../../../shared/public-ui/public-frame';
import { AccountStep } from './account-step';
import { EmailStep } from './email-step';
import { PurposeStep } from './purpose-step';
import { SetupCard } from './setup-card';

const stepComponents = { purpose: PurposeStep, mail: EmailStep };

/** /setup: sets up the installation with the `key` printed at startup. */
export function SetupPage() {
  const { data: user, error, refetch } = useCurrentUser();
  const setupKey = useSetupKey();
  /** The account was created here: the remaining steps belong to the same setup, and the dashboard follows. */
  const [hasCreatedAccount, setHasCreatedAccount] = useState(false);
  return (
    <PublicFrame centred bare>
      {error && <PublicError error={error} onRetry={refetch} />}
      {user?.isSuperAdmin && <InstallationSteps user={user} hasCreatedAccount={hasCreatedAccount} />}
      {user !== undefined && !user?.isSuperAdmin && (
        <CreateAccountStep setupKey={setupKey} onAccountCreated={() => setHasCreatedAccount(true)} />
      )}
    </PublicFrame>
  );
}

/** Creates the account while the key is valid. */
function CreateAccountStep({ setupKey, onAccountCreated }: { setupKey: string | null; onAccountCreated: () => void }) {
  const queryClient = useQueryClient();
  const [isClosed, setIsClosed] = useState(false);
  const [isSigningIn, setIsSigningIn] = useState(false);
  const {
    data: state,
    error,
    refetch,
  } = useQuery({
    queryKey: ['setup', setupKey],
    queryFn: async () => (await api.GET('/api/setup', { params: { query: { key: setupKey! } } })).data,
    // This step uses up the key; it isn't checked again while the next step loads.
    enabled: setupKey !== null && !isSigningIn,
    staleTime: Infinity,
    gcTime: 0,
  });
  const handleAccountCreated = async () => {
    setIsSigningIn(true);
    onAccountCreated();
    await loadNewSession(queryClient);
  };
  if (isClosed || setupKey === null || hasCode(error, 'SETUP_CLOSED')) return <SetupClosed />;
  if (error) return <PublicError error={error} onRetry={refetch} />;
  if (!state) return null;
  const stepCount = 1 + state.following.length;
  return (
    <AccountStep
      setupKey={setupKey}
      stepNumber={1}
      stepCount={stepCount}
      onDone={handleAccountCreated}
      onClosed={() => setIsClosed(true)}
    />
  );
}

/** Shows the remaining setup steps; redirects to the dashboard when there are none left. */
function InstallationSteps({ user, hasCreatedAccount }: { user: CurrentUser; hasCreatedAccount: boolean }) {
  const { data: installation, error, refetch } = useInstallation(!user.factorNeeded);
  const [step] = installation?.setupLeft ?? [];
  const [hasStarted, setHasStarted] = useState(hasCreatedAccount);
  if (step && !hasStarted) setHasStarted(true);
  // The second factor must be set up first; the steps are also available in the administration.
  if (user.factorNeeded) return <Navigate to="/" replace />;
  if (!installation) return error && <PublicError error={error} onRetry={refetch} />;
  if (!step) return hasStarted ? <Navigate to="/" replace /> : <SetupDone />;
  const stepNumber = step === 'purpose' ? 2 : 3;
  const Step = stepComponents[step];
  return (
    <>
      <Step
        key={step}
        installation={installation}
        stepNumber={stepNumber}
        stepCount={stepNumber + installation.setupLeft.length - 1}
      />
      <ReauthenticationPrompt user={user} />
    </>
  );
}

/**
 * Returns the setup key and removes it from the URL, where others could read it and the history would keep it. It stays
 * in the history state, so that it survives a reload.
 */
function useSetupKey(): string | null {
  const [query] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const navigate = useNavigate();
  const keyFromUrl = query.get('key');
  useEffect(() => {
    if (keyFromUrl !== null) void navigate('/setup', { replace: true, state: { key: keyFromUrl } });
  }, [keyFromUrl, navigate]);
  return (keyFromUrl ?? keyFromState(state)) || null;
}

function keyFromState(state: unknown): string | null {
  const { key } = (state ?? {}) as { key?: unknown };
  return typeof key === 'string' ? key : null;
}

/** Shown to super admins who open the setup again. */
function SetupDone() {
  const { t } = useTranslation('setup');
  return (
    <SetupCard title={t('done.title')} text={t('done.text')}>
      <Button component={Link} to="/admin/installation" variant="contained" color="primary">
        {t('done.toSettings')}
      </Button>
    </SetupCard>
  );
}

/** Explains what to do if the key is missing or no longer valid. */
function SetupClosed() {
  const { t } = useTranslation('setup');
  return (
    <SetupCard title={t('closed.title')} text={t('closed.text')}>
      <Stack spacing={4}>
        <Typography>{t('closed.signIn')}</Typography>
        <Button component={Link} to="/auth" variant="contained" color="primary">
          {t('closed.toSignIn')}
        </Button>
        <Typography>{t('closed.again')}</Typography>
        <Box component="code" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
          {t('closed.command')}
        </Box>
      </Stack>
    </SetupCard>
  );
}

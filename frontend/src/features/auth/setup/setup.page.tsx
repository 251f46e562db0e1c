import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { Confirmation } from '../../../app/layout/confirmation';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { useCurrentUser, type CurrentUser } from '../../../shared/api/current-user';
import { enterSession } from '../../../shared/api/sign-in';
import { useInstallation } from '../../../shared/installation/use-installation';
import { PlainError } from '../../../shared/plain/plain-error';
import { PublicFrame } from '../../../shared/plain/public-frame';
import { AccountStep } from './account-step';
import { MailStep } from './mail-step';
import { PurposeStep } from './purpose-step';
import { SetupCard } from './setup-card';

const following = { purpose: PurposeStep, mail: MailStep };

/** /setup: who has the `key` that the start has printed makes the installation theirs. */
export function SetupPage() {
  const { data: user, error, refetch } = useCurrentUser();
  const key = useKey();
  /** The account was made here: what is asked next belongs to the way, and after it comes the dashboard. */
  const [hasEntered, setEntered] = useState(false);
  return (
    <PublicFrame centred bare>
      {error && <PlainError error={error} onRetry={refetch} />}
      {user?.isSuperAdmin && <FurtherSteps user={user} hasEntered={hasEntered} />}
      {user !== undefined && !user?.isSuperAdmin && <FirstStep setupKey={key} onEntered={() => setEntered(true)} />}
    </PublicFrame>
  );
}

/** The account, as long as the key is good. */
function FirstStep({ setupKey, onEntered }: { setupKey: string | null; onEntered: () => void }) {
  const queries = useQueryClient();
  const [closed, setClosed] = useState(false);
  const [entering, setEntering] = useState(false);
  const {
    data: state,
    error,
    refetch,
  } = useQuery({
    queryKey: ['setup', setupKey],
    queryFn: async () => (await api.GET('/api/setup', { params: { query: { key: setupKey! } } })).data,
    // The key is used by this step; it is not asked about again while the next one comes.
    enabled: setupKey !== null && !entering,
    staleTime: Infinity,
    gcTime: 0,
  });
  const enter = async () => {
    setEntering(true);
    onEntered();
    await enterSession(queries);
  };
  if (closed || setupKey === null || hasCode(error, 'SETUP_CLOSED')) return <Closed />;
  if (error) return <PlainError error={error} onRetry={refetch} />;
  if (!state) return null;
  const count = 1 + state.following.length;
  return <AccountStep setupKey={setupKey} at={1} count={count} onDone={enter} onClosed={() => setClosed(true)} />;
}

/** What the server says is still to be asked; when nothing is any more, the dashboard. */
function FurtherSteps({ user, hasEntered }: { user: CurrentUser; hasEntered: boolean }) {
  const { data: installation, error, refetch } = useInstallation(!user.factorNeeded);
  const [step] = installation?.setupLeft ?? [];
  const [hasBegun, setBegun] = useState(hasEntered);
  if (step && !hasBegun) setBegun(true);
  // The second factor comes first then; the steps stand in the administration as well.
  if (user.factorNeeded) return <Navigate to="/" replace />;
  if (!installation) return error && <PlainError error={error} onRetry={refetch} />;
  if (!step) return hasBegun ? <Navigate to="/" replace /> : <Closed />;
  const at = step === 'purpose' ? 2 : 3;
  const Step = following[step];
  return (
    <>
      <Step key={step} installation={installation} at={at} count={at + installation.setupLeft.length - 1} />
      <Confirmation user={user} />
    </>
  );
}

/**
 * The key, which is taken out of the address at once: it would be read over a shoulder, and kept in the history. The tab
 * keeps it beside the address, so that a reload loses nothing.
 */
function useKey(): string | null {
  const [query] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const navigate = useNavigate();
  const inAddress = query.get('key');
  useEffect(() => {
    if (inAddress !== null) void navigate('/setup', { replace: true, state: { key: inAddress } });
  }, [inAddress, navigate]);
  return (inAddress ?? keyIn(state)) || null;
}

function keyIn(state: unknown): string | null {
  const { key } = (state ?? {}) as { key?: unknown };
  return typeof key === 'string' ? key : null;
}

/** What to do with a key that is used up, or none. */
function Closed() {
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

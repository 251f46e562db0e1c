import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { enterSession } from '../../../shared/api/sign-in';
import { PlainError } from '../../../shared/plain/plain-error';
import { PublicFrame } from '../../../shared/plain/public-frame';
import { AccountStep } from './account-step';
import { SetupCard } from './setup-card';

/** The steps in their order. The first one uses the key and signs the person in; what follows leans on that session. */
const steps = [AccountStep];

/** /setup: who has the `key` that the start has printed makes the installation theirs. */
export function SetupPage() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const key = useKey();
  const [at, setAt] = useState(0);
  const [closed, setClosed] = useState(false);
  const [entering, setEntering] = useState(false);
  const {
    data: isOpen,
    error,
    refetch,
  } = useQuery({
    queryKey: ['setup', key],
    queryFn: async () => (await api.GET('/api/setup', { params: { query: { key: key! } } })).data !== undefined,
    // The key is used by the first step; it is not asked about again while the next page comes.
    enabled: key !== null && !entering,
    staleTime: Infinity,
    gcTime: 0,
  });
  const goOn = async () => {
    setEntering(true);
    await enterSession(queries);
    if (at + 1 < steps.length) setAt(at + 1);
    else await navigate('/', { replace: true });
  };
  const Step = steps[at]!;
  const isClosed = closed || key === null || hasCode(error, 'SETUP_CLOSED');
  return (
    <PublicFrame centred>
      {isClosed && <Closed />}
      {!isClosed && error && <PlainError error={error} onRetry={refetch} />}
      {!isClosed && key !== null && (isOpen || entering) && (
        <Step setupKey={key} at={at + 1} count={steps.length} onDone={goOn} onClosed={() => setClosed(true)} />
      )}
    </PublicFrame>
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

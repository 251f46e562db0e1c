import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { hasCode } from '../../shared/api/api-error';
import { $api, api } from '../../shared/api/client';
import { invalidate } from '../../shared/api/invalidate';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { PageHeader } from '../../shared/ui/page-header';
import { useSubscription, type SubscriptionStatus } from '../../shared/plan/use-subscription';

/** Milliseconds; by then the payment provider has usually notified us of a payment. */
const REFRESH_DELAY = 1000;

/** /checkout: the return page after paying, cancelling, or visiting the billing portal. */
export function CheckoutPage() {
  const [search] = useSearchParams();
  const sessionId = search.get('session_id');
  if (search.get('canceled') === 'true') return <CheckoutCanceled />;
  if (sessionId !== null || search.get('success') === 'true') return <PaymentResult sessionId={sessionId} />;
  return <PortalReturn />;
}

/** Refreshes the subscription from the payment provider once, shortly after the page was opened. */
function useSubscriptionRefresh() {
  const queryClient = useQueryClient();
  const hasRequestedRef = useRef(false);
  const { mutate, ...state } = useMutation({
    mutationFn: () => api.POST('/api/subscription-status/refresh'),
    onSuccess: async ({ data }) => {
      queryClient.setQueryData(['get', '/api/subscription-status', {}], data);
      await invalidate(queryClient, 'POST /api/subscription-status/refresh');
    },
  });
  useEffect(() => {
    const timer = setTimeout(() => {
      if (hasRequestedRef.current) return;
      hasRequestedRef.current = true;
      mutate();
    }, REFRESH_DELAY);
    return () => clearTimeout(timer);
  }, [mutate]);
  return { ...state, retry: () => mutate() };
}

function PaymentResult({ sessionId }: { sessionId: string | null }) {
  const { t } = useTranslation('billing');
  const { t: tCommon } = useTranslation();
  const errorText = useErrorText();
  const { data: session, error } = $api.useQuery(
    'get',
    '/api/checkout-session/{sessionId}',
    { params: { path: { sessionId: sessionId ?? '' } } },
    { enabled: sessionId !== null },
  );
  const { data: status } = useSubscription();
  const refresh = useSubscriptionRefresh();
  // If this URL is opened again later, the plan may have changed in the meantime.
  const isSettled = !session || session.status === 'complete' || status?.plan === session.planId;
  const isPlanActive = status !== undefined && status.plan !== 'free' && isSettled;
  if (refresh.isSuccess && isPlanActive) {
    return (
      <Result title={t('checkout.done')} text={t('checkout.doneText', { plan: t(`names.${status.plan}`) })}>
        <Button component={Link} to="/dashboard" variant="contained" color="primary">
          {t('checkout.toDashboard')}
        </Button>
      </Result>
    );
  }
  // A payment of another account, or a made-up URL: shows the current plan without waiting.
  if (status && !refresh.isPending && !refresh.isIdle && hasCode(error, 'NOT_FOUND'))
    return <CurrentPlan plan={status.plan} />;
  const failure = refresh.error ?? error;
  if (!failure && !refresh.isSuccess)
    return <Result title={t('checkout.waiting')} text={t('checkout.waitingText')} busy />;
  // The text must not make the user believe that the payment was lost.
  const text = [failure && errorText(failure), t('checkout.notYetText')].filter(Boolean).join(' ');
  return (
    <Result title={t('checkout.notYet')} text={text}>
      <Button variant="contained" color="primary" loading={refresh.isPending} onClick={refresh.retry}>
        {tCommon('actions.retry')}
      </Button>
      <Button component={Link} to="/dashboard">
        {t('checkout.toDashboard')}
      </Button>
    </Result>
  );
}

function CheckoutCanceled() {
  const { t } = useTranslation('billing');
  return (
    <Result title={t('checkout.canceled')} text={t('checkout.canceledText')}>
      <Button component={Link} to="/pricing" variant="contained" color="primary">
        {t('checkout.toPlans')}
      </Button>
      <Button component={Link} to="/dashboard">
        {t('checkout.toDashboard')}
      </Button>
    </Result>
  );
}

function PortalReturn() {
  const { t } = useTranslation('billing');
  const { data: status } = useSubscription();
  const refresh = useSubscriptionRefresh();
  const isWaiting = !status || (!refresh.isSuccess && !refresh.isError);
  if (isWaiting) return <Result title={t('checkout.title')} text={t('checkout.waitingText')} busy />;
  return <CurrentPlan plan={status.plan} />;
}

function CurrentPlan({ plan }: { plan: SubscriptionStatus['plan'] }) {
  const { t } = useTranslation('billing');
  return (
    <Result title={t('checkout.title')} text={t('checkout.planNow', { plan: t(`names.${plan}`) })}>
      <Button component={Link} to="/dashboard" variant="contained" color="primary">
        {t('checkout.toDashboard')}
      </Button>
      <Button component={Link} to="/pricing">
        {t('checkout.toPlans')}
      </Button>
    </Result>
  );
}

interface ResultProps {
  title: string;
  text: string;
  busy?: boolean;
  children?: ReactNode;
}

function Result({ title, text, busy = false, children }: ResultProps) {
  return (
    <Box sx={{ maxWidth: 640, mx: 'auto' }} aria-live="polite" aria-busy={busy}>
      <PageHeader title={title} />
      <Card sx={{ p: { xs: 4, sm: 6 } }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 4 }}>
          {busy && <CircularProgress size={24} aria-label={title} />}
          <Typography>{text}</Typography>
        </Box>
        {children && <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 6 }}>{children}</Box>}
      </Card>
    </Box>
  );
}

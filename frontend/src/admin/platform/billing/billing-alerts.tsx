import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';

type BillingState = Schema<'BillingOversightDto'>;

/** Problems to look at: people who pay more than once, rejected deliveries, and missing configuration. */
export function BillingAlerts() {
  const { t } = useTranslation('admin');
  const { data: state, error, refetch } = $api.useQuery('get', '/api/admin/billing');
  if (error && !state) return <ErrorState title={t('billing.failed')} error={error} onRetry={refetch} />;
  if (!state) return <RowsSkeleton rows={1} />;
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <SetupStatus state={state} />
      {state.severalSubscriptions.length > 0 && <MultipleSubscriptionsAlert subscribers={state.severalSubscriptions} />}
      {state.refused > 0 && <RejectedWebhooksAlert state={state} />}
    </Box>
  );
}

function SetupStatus({ state: { isConfigured, takesEvents, lastReceivedAt } }: { state: BillingState }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  if (!isConfigured) return <Alert severity="info">{t('billing.notConfigured')}</Alert>;
  if (!takesEvents) return <Alert severity="warning">{t('billing.noEvents')}</Alert>;
  const text = lastReceivedAt ? t('billing.last', { when: format.dateTime(lastReceivedAt) }) : t('billing.never');
  return <Typography color="textSecondary">{text}</Typography>;
}

function MultipleSubscriptionsAlert({ subscribers }: { subscribers: BillingState['severalSubscriptions'] }) {
  const { t } = useTranslation('admin');
  return (
    <Alert severity="error">
      {t('billing.several')}
      <Box component="ul" aria-label={t('billing.severalList')} sx={{ m: 0, mt: 1, pl: 5 }}>
        {subscribers.map(({ userId, email, live }) => (
          <li key={userId}>
            <Link component={RouterLink} to={`/admin/users/${userId}`}>
              {email}
            </Link>{' '}
            {t('billing.live', { count: live })}
          </li>
        ))}
      </Box>
    </Alert>
  );
}

function RejectedWebhooksAlert({ state: { refused, lastRefusedAt } }: { state: BillingState }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const when = lastRefusedAt ? format.dateTime(lastRefusedAt) : '';
  return (
    <Alert severity="warning">
      {t('billing.refused', { count: refused, formatted: format.number(refused), when })}
    </Alert>
  );
}

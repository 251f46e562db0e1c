import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';

type IntegrationAttention = Schema<'IntegrationAttentionDto'>;
type Sender = IntegrationAttention['silences'][number]['source'];

/** Failed and waiting orders, and inactive senders; nothing if there are none. */
export function IntegrationAlerts() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { data, error, refetch } = $api.useQuery('get', '/api/admin/integrations/attention');
  if (error && !data) return <ErrorState title={t('attention.failedToLoad')} error={error} onRetry={refetch} />;
  if (!data || data.orders.length + data.silences.length === 0) return null;
  return (
    <Box component="section" aria-label={t('attention.label')} sx={{ display: 'grid', gap: 3 }}>
      {data.orders.map(({ source, kind, count, since }) => (
        <IntegrationAlert key={`${source}-${kind}`} sender={source} severity={kind === 'failed' ? 'error' : 'warning'}>
          {t(`attention.${kind}`, {
            count,
            formatted: format.number(count),
            sender: t(`attention.senders.${source}`),
            when: format.dateTime(since),
          })}
        </IntegrationAlert>
      ))}
      {data.silences.map(({ source, lastReceivedAt }) => (
        <IntegrationAlert key={source} sender={source} severity="warning">
          {t('attention.silent', {
            sender: t(`attention.senders.${source}`),
            when: format.dateTime(lastReceivedAt),
          })}
        </IntegrationAlert>
      ))}
    </Box>
  );
}

function IntegrationAlert(props: { sender: Sender; severity: 'error' | 'warning'; children: string }) {
  const { t } = useTranslation('admin');
  const { sender, severity, children } = props;
  const senderName = t(`attention.senders.${sender}`);
  return (
    <Alert
      role="note"
      severity={severity}
      action={
        <Button
          component={Link}
          to={`/${sender}-admin/webhook-logs`}
          color="inherit"
          size="small"
          aria-label={t('attention.openOf', { sender: senderName })}
        >
          {t('attention.open')}
        </Button>
      }
      sx={{ alignItems: 'center' }}
    >
      {children}
    </Alert>
  );
}

import RefreshRounded from '@mui/icons-material/RefreshRounded';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { StatCards } from '../../../shared/ui/stat-cards';
import { isBeingProcessed, toSenderPath, type LoggedWebhook, type Sender } from '../senders';

/** Number of deliveries by result, time of the last one, and a refresh button. Must be inside the list. */
export function WebhookSummary({ sender }: { sender: Sender }) {
  const { t } = useTranslation('integrations');
  const { data, error, isFetching, refetch } = $api.useQuery('get', toSenderPath(sender, '/webhook-logs/summary'));
  const { data: webhooks, refetch: refetchList } = useListContext<LoggedWebhook>();
  const isProcessing = webhooks?.some(isBeingProcessed) ?? false;
  // Once deliveries have been processed, the figures are outdated.
  useEffect(() => void refetch(), [isProcessing, refetch]);
  const handleRefresh = () => {
    void refetch();
    void refetchList();
  };
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 3 }}>
        <LastReceived summary={data} />
        <Button
          startIcon={<RefreshRounded />}
          loading={isFetching && !data}
          loadingPosition="start"
          onClick={handleRefresh}
        >
          {t('logs.refresh')}
        </Button>
      </Box>
      {error && !data ? (
        <Alert severity="error">{t('summary.couldNotLoad')}</Alert>
      ) : (
        <SummaryStatCards summary={data} />
      )}
      {data && data.refused > 0 && <RejectedWebhooksAlert refused={data.refused} />}
    </Box>
  );
}

function LastReceived({ summary }: { summary?: Schema<'WebhookSummaryDto'> }) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  const lastReceivedAt = summary?.lastReceivedAt;
  return (
    <Typography color="textSecondary">
      {summary &&
        (lastReceivedAt ? t('summary.lastReceived', { when: format.dateTime(lastReceivedAt) }) : t('summary.never'))}
    </Typography>
  );
}

function SummaryStatCards({ summary }: { summary?: Schema<'WebhookSummaryDto'> }) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  const metrics = ['total', 'successful', 'failed', 'newMemberships', 'refused'] as const;
  const figures = metrics.map((metric) => ({
    name: t(`summary.${metric}`),
    value: summary && format.number(summary[metric]),
  }));
  return <StatCards label={t('summary.label')} stats={figures} />;
}

function RejectedWebhooksAlert({ refused }: { refused: number }) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  return (
    <Alert severity="warning">{t('summary.refusedText', { count: refused, formatted: format.number(refused) })}</Alert>
  );
}

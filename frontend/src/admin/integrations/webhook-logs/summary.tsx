import RefreshRounded from '@mui/icons-material/RefreshRounded';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { StatCards } from '../../../shared/ui/stat-cards';
import { callOf, type Sender } from '../senders';

interface Props {
  sender: Sender;
  /** Something of the list is being processed, so the figures are about to change. */
  underWay: boolean;
  onRefresh: () => void;
}

/** How many deliveries came and what came of them, when the last one did, and the button that asks again. */
export function Summary({ sender, underWay, onRefresh }: Props) {
  const { t } = useTranslation('integrations');
  const { data, error, isFetching, refetch } = $api.useQuery('get', callOf(sender, '/webhook-logs/summary'));
  useEffect(() => void refetch(), [underWay, refetch]);
  const refresh = () => {
    void refetch();
    onRefresh();
  };
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 3 }}>
        <LastReceived summary={data} />
        <Button startIcon={<RefreshRounded />} loading={isFetching && !data} loadingPosition="start" onClick={refresh}>
          {t('logs.refresh')}
        </Button>
      </Box>
      {error && !data ? <Alert severity="error">{t('summary.couldNotLoad')}</Alert> : <Figures summary={data} />}
      {data && data.refused > 0 && <Refused refused={data.refused} />}
    </Box>
  );
}

function LastReceived({ summary }: { summary?: Schema<'WebhookSummaryDto'> }) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  const last = summary?.lastReceivedAt;
  return (
    <Typography color="textSecondary">
      {summary && (last ? t('summary.lastReceived', { when: format.dateTime(last) }) : t('summary.never'))}
    </Typography>
  );
}

function Figures({ summary }: { summary?: Schema<'WebhookSummaryDto'> }) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  const names = ['total', 'successful', 'failed', 'newMemberships', 'refused'] as const;
  const figures = names.map((name) => ({
    name: t(`summary.${name}`),
    value: summary && format.number(summary[name]),
  }));
  return <StatCards label={t('summary.label')} figures={figures} />;
}

function Refused({ refused }: { refused: number }) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  return (
    <Alert severity="warning">{t('summary.refusedText', { count: refused, formatted: format.number(refused) })}</Alert>
  );
}

import Alert from '@mui/material/Alert';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { CampaignProgress } from '../api/use-campaigns';

type Progress = Pick<CampaignProgress, 'status' | 'recipientCount' | 'pendingCount'> &
  Partial<Pick<CampaignProgress, 'mailServerRefusingSince'>>;

/** Progress of a campaign being sent and what delays it; empty once it has ended. */
export function SendingProgress({ progress }: { progress: Progress }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { status, recipientCount: total, pendingCount } = progress;
  if (status !== 'sending' && status !== 'paused') return null;
  const processed = total - pendingCount;
  const text = t('report.goneOut', { count: total, done: format.number(processed), all: format.number(total) });
  return (
    <div>
      <Typography role="status" sx={{ mb: 2, fontVariantNumeric: 'tabular-nums' }}>
        {text}
      </Typography>
      {progress.mailServerRefusingSince && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {t('report.mailServerAway', {
            count: pendingCount,
            since: format.dateTime(progress.mailServerRefusingSince),
            waiting: format.number(pendingCount),
          })}
        </Alert>
      )}
      <LinearProgress
        variant="determinate"
        value={total > 0 ? Math.min(100, (processed / total) * 100) : 0}
        color={status === 'paused' ? 'warning' : 'primary'}
        aria-label={t('report.progress')}
        aria-valuetext={text}
      />
    </div>
  );
}

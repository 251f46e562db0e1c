import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { CampaignProgress } from '../api/use-campaigns';

/** How far a sending is; nothing once it has ended. */
export function SendingProgress({ progress }: { progress: CampaignProgress }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { status, recipientCount: all, pendingCount } = progress;
  if (status !== 'sending' && status !== 'paused') return null;
  const done = all - pendingCount;
  const text = t('report.goneOut', { done: format.number(done), all: format.number(all) });
  return (
    <div>
      <Typography role="status" sx={{ mb: 2, fontVariantNumeric: 'tabular-nums' }}>
        {text}
      </Typography>
      <LinearProgress
        variant="determinate"
        value={all > 0 ? Math.min(100, (done / all) * 100) : 0}
        color={status === 'paused' ? 'warning' : 'primary'}
        aria-label={t('report.progress')}
        aria-valuetext={text}
      />
    </div>
  );
}

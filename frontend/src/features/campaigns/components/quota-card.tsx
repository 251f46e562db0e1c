import Card from '@mui/material/Card';
import LinearProgress from '@mui/material/LinearProgress';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { useEmailQuota, type Quota } from '../api/use-campaigns';

/** Emails sent this month, and how many are left. */
export function QuotaCard() {
  const { t } = useTranslation('campaigns');
  const { data: quota, error } = useEmailQuota();
  return (
    <Card component="section" aria-label={t('quota.title')} sx={{ p: 4, mb: 4 }}>
      {quota && <QuotaUsage quota={quota} />}
      {!quota && error && <Typography color="textSecondary">{t('quota.failed')}</Typography>}
      {!quota && !error && <Skeleton width="40%" />}
    </Card>
  );
}

function QuotaUsage({ quota }: { quota: Quota }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const used = format.number(quota.emailsSent);
  const { quotaLimit } = quota;
  if (quotaLimit === null) return <Typography>{t('quota.unlimited', { count: quota.emailsSent, used })}</Typography>;
  const text = t('quota.used', { count: quotaLimit, used, limit: format.number(quotaLimit) });
  const percent = quotaPercent(quota.emailsSent, quotaLimit);
  return (
    <>
      <Typography variant="subtitle2" component="p" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {text}
      </Typography>
      <LinearProgress
        variant="determinate"
        value={percent}
        color={percent >= 100 ? 'error' : percent >= 80 ? 'warning' : 'primary'}
        aria-label={t('quota.title')}
        aria-valuetext={text}
        sx={{ height: 4, my: 2 }}
      />
      <Typography variant="body2" color="textSecondary">
        {t('quota.left', { left: format.number(quota.remaining ?? 0), date: format.date(quota.resetsAt) })}
      </Typography>
    </>
  );
}

/** Returns the fill level of the bar in percent, at most 100. */
export function quotaPercent(sent: number, limit: number): number {
  return limit > 0 ? Math.min(100, (sent / limit) * 100) : 100;
}

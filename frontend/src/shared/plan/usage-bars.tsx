import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../hooks/use-format';
import { formatAmount, usedPercentOf, visibleWarningOf, type Usage } from './usage';

/** Text and bar for each limit of the plan; unlimited metrics have no bar. */
export function UsageBars({ usage }: { usage: readonly Usage[] }) {
  return (
    <Box component="ul" sx={{ display: 'grid', gap: 2, m: 0, p: 0, listStyle: 'none' }}>
      {usage.map((metricUsage) => (
        <UsageBar key={metricUsage.metric} usage={metricUsage} />
      ))}
    </Box>
  );
}

function UsageBar({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { metric, allowed, used } = usage;
  const warning = visibleWarningOf(usage);
  const percent = usedPercentOf(usage);
  const name = t(`plan.metrics.${metric}`);
  const usageText =
    allowed === null
      ? formatAmount(metric, used, format)
      : t('plan.usedOf', { used: formatAmount(metric, used, format), allowed: formatAmount(metric, allowed, format) });
  const tone = warning === 100 ? 'error' : warning === 80 ? 'warning' : 'primary';
  return (
    <Box component="li">
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
        {/* The whole name doesn't fit beside long numbers in the sidebar. */}
        <Typography variant="caption" color="textSecondary" title={name}>
          {metric === 'people' ? t('plan.peopleShort') : name}
        </Typography>
        <Typography
          variant="caption"
          color={warning === null ? 'textSecondary' : tone}
          sx={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
        >
          {usageText}
        </Typography>
      </Box>
      {percent !== null && (
        <LinearProgress
          variant="determinate"
          value={percent}
          color={tone}
          aria-label={name}
          aria-valuetext={usageText}
          sx={{ height: 4 }}
        />
      )}
    </Box>
  );
}

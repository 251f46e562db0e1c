import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import { useTranslation } from 'react-i18next';
import { useFormat, useLanguage } from '../../../shared/hooks/use-format';

interface Props {
  days: readonly { date: string; attempts: number; joins: number }[];
  /** Pixels. */
  height: number;
}

/** Attempts and joins per day, with a text alternative for people who can't see the chart. */
export function DailyChart({ days, height }: Props) {
  const { t } = useTranslation('links');
  const {
    vars: { palette },
  } = useTheme();
  const language = useLanguage();
  const format = useFormat();
  const dateFormat = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const formatTotal = (pick: 'attempts' | 'joins') => format.number(days.reduce((total, day) => total + day[pick], 0));
  const label = t('analytics.chart', { attempts: formatTotal('attempts'), joins: formatTotal('joins') });
  return (
    <Box role="img" aria-label={label}>
      <BarChart
        height={height}
        skipAnimation
        margin={{ left: 0, right: 0, top: 8, bottom: 0 }}
        xAxis={[{ data: days.map(({ date }) => dateFormat.format(new Date(`${date}T00:00:00Z`))), scaleType: 'band' }]}
        yAxis={[{ tickMinStep: 1, width: 32 }]}
        series={[
          { data: days.map(({ attempts }) => attempts), label: t('analytics.attempts'), color: palette.text.secondary },
          { data: days.map(({ joins }) => joins), label: t('analytics.joins'), color: palette.primary.main },
        ]}
      />
    </Box>
  );
}

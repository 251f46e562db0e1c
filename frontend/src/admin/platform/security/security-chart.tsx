import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { LineChart } from '@mui/x-charts/LineChart';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { securityMetrics, type SecurityDay } from './security-metrics';

interface Props {
  days: readonly SecurityDay[];
  /** In pixels. */
  height: number;
}

/** Security events by day, with their content as text for screen readers and as a table. */
export function SecurityChart({ days, height }: Props) {
  const { t } = useTranslation('admin');
  const {
    vars: { palette },
  } = useTheme();
  const format = useFormat();
  const colours = [palette.primary.main, palette.error.main, palette.text.secondary, palette.success.main];
  const totals = securityMetrics.map((metric) => days.reduce((sum, day) => sum + day[metric], 0));
  const descriptions = securityMetrics.map(
    (metric, index) => `${t(`security.${metric}`)} ${format.number(totals[index]!)}`,
  );
  return (
    <Box role="img" aria-label={`${t('security.days')}: ${descriptions.join(', ')}`}>
      <LineChart
        height={height}
        skipAnimation
        margin={{ left: 0, right: 16, top: 8, bottom: 0 }}
        xAxis={[
          {
            data: days.map(({ day }) => format.day(day, 'short')),
            scaleType: 'point',
            tickLabelInterval: (_, index) => index % 7 === days.length % 7,
          },
        ]}
        yAxis={[
          {
            tickMinStep: 1,
            min: 0,
            width: 60,
            valueFormatter: (value: number) => format.number(value),
          },
        ]}
        series={securityMetrics.map((metric, index) => ({
          data: days.map((day) => day[metric]),
          label: t(`security.${metric}`),
          color: colours[index],
          curve: 'linear' as const,
          showMark: false,
          valueFormatter: (value: number | null) => (value === null ? '–' : format.number(value)),
        }))}
      />
    </Box>
  );
}

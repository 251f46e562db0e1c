import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { LineChart } from '@mui/x-charts/LineChart';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { metricsByMeasure, type Metric, type Measure } from '../measures';

interface Props {
  series: Schema<'AnalyticsSeriesDto'>;
  measure: Measure;
  /** Pixels. */
  height: number;
}

/** Line chart over time, with a text alternative and an optional table. */
export function SeriesChart({ series, measure, height }: Props) {
  const { t } = useTranslation('insights');
  const { vars } = useTheme();
  const format = useFormat();
  const metrics: readonly Metric[] = metricsByMeasure[measure];
  const formatValue = (figure: Metric, value: number) =>
    figure === 'storage' ? format.size(value) : format.number(value);
  const last = series.points.at(-1);
  const totals = metrics.map((figure) => {
    const value = figure === 'storage' ? (last?.storage ?? 0) : series.totals[figure];
    return `${t(`series.${figure}`)} ${formatValue(figure, value)}`;
  });
  const [from, to] = [format.day(series.from), format.day(series.to)];
  const label = t('series.chart', { what: t(`series.${measure}`), from, to, figures: totals.join(', ') });
  const colours = [vars.palette.primary.main, vars.palette.text.secondary];
  return (
    <Box role="img" aria-label={label}>
      <LineChart
        height={height}
        skipAnimation
        margin={{ left: 0, right: 16, top: 8, bottom: 0 }}
        xAxis={[
          {
            data: series.points.map((point) => point.from),
            scaleType: 'point',
            valueFormatter: (day: string) => format.day(day, series.bucket === 'month' ? 'month' : 'short'),
            tickInterval: (_day: string, at: number) => at % Math.ceil(series.points.length / 6) === 0,
          },
        ]}
        yAxis={[
          {
            tickMinStep: 1,
            width: measure === 'stored' ? 64 : 40,
            valueFormatter: (value: number) => formatValue(metrics[0]!, value),
          },
        ]}
        series={metrics.map((figure, index) => ({
          data: series.points.map((point) => point[figure]),
          label: t(`series.${figure}`),
          color: colours[index],
          curve: 'linear' as const,
          showMark: series.points.length < 15,
          valueFormatter: (value: number | null) => (value === null ? '' : formatValue(figure, value)),
        }))}
      />
    </Box>
  );
}

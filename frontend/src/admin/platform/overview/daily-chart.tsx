import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { LineChart } from '@mui/x-charts/LineChart';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useFormat, useLanguage } from '../../../shared/hooks/use-format';
import { computeSizeTicks } from './size-ticks';

type DailyStats = Schema<'AdminDayDto'>;
export type SeriesName = 'newUsers' | 'joins' | 'leaves' | 'views' | 'downloads' | 'mails' | 'storage';

interface Props {
  title: string;
  days: readonly DailyStats[];
  series: readonly SeriesName[];
  /** In pixels. */
  height: number;
}

/** A line chart by day, with its content as text for screen readers. */
export function DailyChart({ title, days, series, height }: Props) {
  const { t } = useTranslation('admin');
  const {
    vars: { palette },
  } = useTheme();
  const language = useLanguage();
  const format = useFormat();
  const colours = [palette.primary.main, palette.success.main, palette.text.secondary];
  const dayFormat = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const formatValue = (name: SeriesName, value: number) =>
    name === 'storage' ? format.size(value) : format.number(value);
  const getKnownValues = (name: SeriesName) => days.map((day) => day[name]).filter((value) => value !== null);
  const ticks = series[0] === 'storage' ? computeSizeTicks(Math.max(0, ...getKnownValues('storage'))) : undefined;
  return (
    <Box role="img" aria-label={`${title}: ${series.map((name) => describeSeries(name)).join(', ')}`}>
      <LineChart
        height={height}
        skipAnimation
        margin={{ left: 0, right: 16, top: 8, bottom: 0 }}
        xAxis={[
          {
            data: days.map(({ day }) => dayFormat.format(new Date(`${day}T00:00:00Z`))),
            scaleType: 'point',
            tickLabelInterval: (_, index) => index % 7 === days.length % 7,
          },
        ]}
        yAxis={[
          {
            tickMinStep: 1,
            min: 0,
            ...(ticks && { max: ticks.at(-1), tickInterval: ticks }),
            width: series[0] === 'storage' ? 96 : 60,
            valueFormatter: (value: number) => formatValue(series[0]!, value),
          },
        ]}
        series={series.map((name, index) => ({
          data: days.map((day) => day[name]),
          label: t(`series.${name}`),
          color: colours[index],
          curve: 'linear' as const,
          // A single day makes no line, so it is drawn as a dot.
          showMark: getKnownValues(name).length === 1,
          valueFormatter: (value: number | null) => (value === null ? '–' : formatValue(name, value)),
        }))}
        hideLegend={series.length < 2}
      />
    </Box>
  );

  function describeSeries(name: SeriesName): string {
    const values = days.map((day) => day[name] ?? 0);
    const summaryValue = name === 'storage' ? (values.at(-1) ?? 0) : values.reduce((sum, value) => sum + value, 0);
    return `${t(`series.${name}`)} ${formatValue(name, summaryValue)}`;
  }
}

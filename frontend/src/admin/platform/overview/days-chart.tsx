import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { LineChart } from '@mui/x-charts/LineChart';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useFormat, useLanguage } from '../../../shared/hooks/use-format';
import { sizeTicks } from './size-ticks';

type Day = Schema<'AdminDayDto'>;
export type DaySeries = 'newUsers' | 'joins' | 'leaves' | 'views' | 'downloads' | 'mails' | 'storage';

interface Props {
  title: string;
  days: readonly Day[];
  series: readonly DaySeries[];
  /** Pixels. */
  height: number;
}

/** Figures by day. What it shows is also said in words, for who does not see it. */
export function DaysChart({ title, days, series, height }: Props) {
  const { t } = useTranslation('admin');
  const {
    vars: { palette },
  } = useTheme();
  const language = useLanguage();
  const format = useFormat();
  const colours = [palette.primary.main, palette.success.main, palette.text.secondary];
  const words = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const show = (one: DaySeries, value: number) => (one === 'storage' ? format.size(value) : format.number(value));
  const known = (one: DaySeries) => days.map((day) => day[one]).filter((value) => value !== null);
  const ticks = series[0] === 'storage' ? sizeTicks(Math.max(0, ...known('storage'))) : undefined;
  const isFlat = series.every((one) => known(one).every((value) => value === 0));
  return (
    <Box role="img" aria-label={`${title}: ${series.map((one) => spoken(one)).join(', ')}`}>
      <LineChart
        height={height}
        skipAnimation
        margin={{ left: 0, right: 16, top: 8, bottom: 0 }}
        xAxis={[
          {
            data: days.map(({ day }) => words.format(new Date(`${day}T00:00:00Z`))),
            scaleType: 'point',
            tickLabelInterval: (_, index) => index % 7 === days.length % 7,
          },
        ]}
        yAxis={[
          {
            tickMinStep: 1,
            min: 0,
            // Without an end, days on which nothing happened run through the middle of an axis of no length.
            ...(ticks && { max: ticks.at(-1), tickInterval: ticks }),
            ...(isFlat && { max: 1, tickInterval: [0] }),
            width: series[0] === 'storage' ? 96 : 60,
            valueFormatter: (value: number) => show(series[0]!, value),
          },
        ]}
        series={series.map((one, index) => ({
          data: days.map((day) => day[one]),
          label: t(`series.${one}`),
          color: colours[index],
          curve: 'linear' as const,
          // A line of one day is no line: that day is a dot.
          showMark: known(one).length === 1,
          valueFormatter: (value: number | null) => (value === null ? '–' : show(one, value)),
        }))}
        hideLegend={series.length < 2}
      />
    </Box>
  );

  function spoken(one: DaySeries): string {
    const values = days.map((day) => day[one] ?? 0);
    const figure = one === 'storage' ? (values.at(-1) ?? 0) : values.reduce((sum, value) => sum + value, 0);
    return `${t(`series.${one}`)} ${show(one, figure)}`;
  }
}

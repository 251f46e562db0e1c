import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { LineChart } from '@mui/x-charts/LineChart';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { totalsUpTo } from './totals-up-to';

interface Props {
  hours: readonly Schema<'CampaignHourDto'>[];
  /** Pixels. */
  height: number;
}

/** Milliseconds. */
const DAY = 86_400_000;

const kinds = ['delivered', 'opens', 'clicks'] as const;

/**
 * Events since the start, hour by hour, with a text alternative for people who can't see the chart. Hours without events
 * are missing, so the totals are drawn as steps.
 */
export function OverTimeChart({ hours, height }: Props) {
  const { t } = useTranslation('campaigns');
  const {
    vars: { palette },
  } = useTheme();
  const format = useFormat();
  const formatTotal = (kind: (typeof kinds)[number]) =>
    format.number(hours.reduce((total, hour) => total + hour[kind], 0));
  const [from, to] = [hours[0]?.at ?? '', hours.at(-1)?.at ?? ''];
  // The date is written once if the labels are hours.
  const isShort = Date.parse(to) - Date.parse(from) <= 2 * DAY;
  const dates = [...new Set([format.date(from), format.date(to)])].join(' – ');
  const label = t('report.chart', {
    delivered: formatTotal('delivered'),
    opens: formatTotal('opens'),
    clicks: formatTotal('clicks'),
  });
  const colours = { delivered: palette.text.secondary, opens: palette.primary.main, clicks: palette.success.main };
  return (
    <Box role="img" aria-label={label}>
      <LineChart
        height={height}
        skipAnimation
        margin={{ left: 0, right: 24, top: 8, bottom: 0 }}
        xAxis={[
          {
            data: hours.map(({ at }) => new Date(at)),
            scaleType: 'time',
            valueFormatter: (value: Date, { location }) => {
              const at = value.toISOString();
              if (location !== 'tick') return format.dateTime(at);
              return isShort ? format.time(at) : format.shortDate(at);
            },
            label: isShort ? dates : undefined,
            tickNumber: 4,
          },
        ]}
        yAxis={[{ tickMinStep: 1, width: 32 }]}
        series={kinds.map((kind) => ({
          data: totalsUpTo(hours.map((hour) => hour[kind])),
          label: t(`report.${kind}`),
          color: colours[kind],
          curve: 'stepAfter' as const,
          showMark: hours.length < 50,
        }))}
      />
    </Box>
  );
}

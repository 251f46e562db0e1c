import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import type { BarChartData } from './billing-chart-data';

interface Props {
  title: string;
  data: BarChartData;
  /** In pixels. */
  height: number;
}

/** Up to this many labels fit side by side in a small font, so none is skipped. */
const MAX_UNSKIPPED_LABELS = 6;
const SHOW_EVERY_LABEL = { tickLabelInterval: () => true, tickLabelStyle: { fontSize: 11 } };

/** A bar chart, with its content as text for screen readers. */
export function BarsChart({ title, data: { labels, series }, height }: Props) {
  const {
    vars: { palette },
  } = useTheme();
  const colours = [palette.primary.main, palette.text.secondary, palette.success.main];
  const descriptions = series.map(({ name, values, show }) => {
    const valueTexts = values.flatMap((value, index) => (value === 0 ? [] : [`${labels[index]} ${show(value)}`]));
    return `${name}: ${valueTexts.join(', ')}`;
  });
  return (
    <Box role="img" aria-label={`${title}. ${descriptions.join('. ')}`}>
      <BarChart
        height={height}
        skipAnimation
        margin={{ left: 0, right: 0, top: 8, bottom: 0 }}
        xAxis={[
          { data: [...labels], scaleType: 'band', ...(labels.length <= MAX_UNSKIPPED_LABELS ? SHOW_EVERY_LABEL : {}) },
        ]}
        yAxis={[{ width: 72, valueFormatter: (value: number) => series[0]!.show(value) }]}
        series={series.map(({ name, values, show }, index) => ({
          data: [...values],
          label: name,
          color: colours[index % colours.length]!,
          valueFormatter: (value: number | null) => show(value ?? 0),
        }))}
        hideLegend={series.length < 2}
      />
    </Box>
  );
}

import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { BarChart } from '@mui/x-charts/BarChart';
import type { Bars } from './bars';

interface Props {
  title: string;
  bars: Bars;
  /** Pixels. */
  height: number;
}

/** So few labels have room side by side, in small letters: none is left out. */
const FEW = 6;
const EVERY_LABEL = { tickLabelInterval: () => true, tickLabelStyle: { fontSize: 11 } };

/** Bars side by side. What they show is also said in words, for who does not see it. */
export function BarsChart({ title, bars: { labels, series }, height }: Props) {
  const {
    vars: { palette },
  } = useTheme();
  const colours = [palette.primary.main, palette.text.secondary, palette.success.main];
  const spoken = series.map(({ name, values, show }) => {
    const said = values.flatMap((value, at) => (value === 0 ? [] : [`${labels[at]} ${show(value)}`]));
    return `${name}: ${said.join(', ')}`;
  });
  return (
    <Box role="img" aria-label={`${title}. ${spoken.join('. ')}`}>
      <BarChart
        height={height}
        skipAnimation
        margin={{ left: 0, right: 0, top: 8, bottom: 0 }}
        xAxis={[{ data: [...labels], scaleType: 'band', ...(labels.length <= FEW ? EVERY_LABEL : {}) }]}
        yAxis={[{ width: 72, valueFormatter: (value: number) => series[0]!.show(value) }]}
        series={series.map(({ name, values, show }, at) => ({
          data: [...values],
          label: name,
          color: colours[at % colours.length]!,
          valueFormatter: (value: number | null) => show(value ?? 0),
        }))}
        hideLegend={series.length < 2}
      />
    </Box>
  );
}

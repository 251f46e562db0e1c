import Box from '@mui/material/Box';

const WIDTH = 120;
const HEIGHT = 32;

interface Props {
  /** Oldest first; unknown values are skipped. */
  values: readonly (number | null)[];
}

/** A small line chart without axes, for the trend only. The text beside it must say the same. */
export function Sparkline({ values }: Props) {
  const knownPoints = values.flatMap((value, index) => (value === null ? [] : [{ value, at: index }]));
  const max = Math.max(...knownPoints.map(({ value }) => value));
  const min = Math.min(0, ...knownPoints.map(({ value }) => value));
  const range = max - min || 1;
  const points = knownPoints.map(({ value, at }) => {
    const x = (at / Math.max(1, values.length - 1)) * WIDTH;
    const y = HEIGHT - 1 - ((value - min) / range) * (HEIGHT - 2);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <Box
      component="svg"
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      sx={{ display: 'block', width: '100%', height: HEIGHT, color: 'primary.main' }}
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </Box>
  );
}

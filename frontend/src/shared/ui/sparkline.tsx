import Box from '@mui/material/Box';

const width = 120;
const height = 32;

interface Props {
  /** The oldest first; what is not known is left out at the beginning. */
  values: readonly (number | null)[];
}

/** A small line without axes: whether something grows, not how much. What it says must stand beside it in words. */
export function Sparkline({ values }: Props) {
  const known = values.flatMap((value, at) => (value === null ? [] : [{ value, at }]));
  const most = Math.max(...known.map(({ value }) => value));
  const least = Math.min(0, ...known.map(({ value }) => value));
  const span = most - least || 1;
  const points = known.map(({ value, at }) => {
    const x = (at / Math.max(1, values.length - 1)) * width;
    const y = height - 1 - ((value - least) / span) * (height - 2);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <Box
      component="svg"
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      sx={{ display: 'block', width: '100%', height, color: 'primary.main' }}
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

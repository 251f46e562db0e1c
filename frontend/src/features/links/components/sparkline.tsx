import Box from '@mui/material/Box';

const width = 96;
const height = 24;

interface Props {
  /** At least two values, oldest first. */
  values: readonly number[];
  /** Text alternative of the line. */
  label: string;
}

/** A small line without axes: shows the trend, not the amounts. */
export function Sparkline({ values, label }: Props) {
  const top = Math.max(1, ...values);
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width;
    const y = height - 1 - (value / top) * (height - 2);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      sx={{ display: 'block', width, height, color: 'text.secondary' }}
    >
      <title>{label}</title>
      <polyline points={points.join(' ')} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
    </Box>
  );
}

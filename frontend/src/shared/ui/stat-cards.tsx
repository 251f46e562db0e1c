import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';

interface Props {
  /** Describes the group of figures to screen readers. */
  label: string;
  /** A value of undefined means loading. */
  stats: readonly { name: string; value: string | undefined }[];
}

/** Figures in cards, two per row on phones. */
export function StatCards({ label, stats }: Props) {
  return (
    <Box
      component="dl"
      aria-label={label}
      aria-busy={stats.some(({ value }) => value === undefined)}
      sx={{
        display: 'grid',
        gap: 4,
        m: 0,
        gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(auto-fit, minmax(144px, 1fr))' },
      }}
    >
      {stats.map(({ name, value }) => (
        <Card key={name} component="div" sx={{ p: 4 }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {name}
          </Typography>
          <Typography component="dd" variant="h1" sx={{ m: 0, mt: 1, fontVariantNumeric: 'tabular-nums' }}>
            {value ?? <Skeleton width="2em" />}
          </Typography>
        </Card>
      ))}
    </Box>
  );
}

import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Fragment, type ReactNode } from 'react';

interface Props {
  /** Accessible name of the list. */
  label: string;
  /** Name and value; a missing value shows as a dash. */
  items: readonly (readonly [name: string, value: ReactNode])[];
}

/** Names on the left, values on the right; stacked on narrow screens. */
export function DefinitionList({ label, items }: Props) {
  return (
    <Box
      component="dl"
      aria-label={label}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr', sm: 'minmax(140px, auto) 1fr' },
        columnGap: 4,
        rowGap: { xs: 0, sm: 2 },
        m: 0,
      }}
    >
      {items.map(([name, value]) => (
        <Fragment key={name}>
          <Typography component="dt" color="textSecondary">
            {name}
          </Typography>
          <Typography component="dd" sx={{ m: 0, mb: { xs: 2, sm: 0 }, overflowWrap: 'anywhere' }}>
            {value || '–'}
          </Typography>
        </Fragment>
      ))}
    </Box>
  );
}

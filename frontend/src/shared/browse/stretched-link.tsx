import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** A link that covers the whole card or row around it, which must be `position: relative`. */
export function StretchedLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Box
      component={Link}
      to={to}
      sx={{
        color: 'inherit',
        textDecoration: 'none',
        overflowWrap: 'anywhere',
        '&::after': { content: '""', position: 'absolute', inset: 0, borderRadius: 'inherit' },
        '&:focus-visible': { outline: 'none' },
        '&:focus-visible::after': {
          outline: 2,
          outlineStyle: 'solid',
          outlineColor: 'primary.main',
          outlineOffset: -2,
        },
      }}
    >
      {children}
    </Box>
  );
}

import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface Props {
  title: ReactNode;
  badge?: ReactNode;
  /** Lines below the title; empty ones are skipped. */
  lines: readonly (string | null | undefined)[];
  action?: ReactNode;
}

/** A row of an admin list on a narrow screen. */
export function RowCard({ title, badge, lines, action }: Props) {
  return (
    <Box sx={{ display: 'flex', gap: 3, p: 4 }}>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere', display: 'grid', gap: 1 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1 }}>
          <Typography component="div" variant="subtitle2" sx={{ minWidth: 0 }}>
            {title}
          </Typography>
          {badge}
        </Box>
        {lines.filter(Boolean).map((line) => (
          <Typography key={line} variant="body2" color="textSecondary">
            {line}
          </Typography>
        ))}
      </Box>
      {action}
    </Box>
  );
}

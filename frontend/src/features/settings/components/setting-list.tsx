import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** The list of a settings section, with lines between its rows. */
export function SettingList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box
      component="ul"
      aria-label={label}
      sx={{ m: 0, mt: 4, p: 0, listStyle: 'none', '& > li': { borderTop: 1, borderColor: 'divider' } }}
    >
      {children}
    </Box>
  );
}

interface SettingRowProps {
  icon?: ReactNode;
  title: ReactNode;
  /** A secondary line below the title. */
  text: ReactNode;
  action?: ReactNode;
}

/** A row of the list: title, details and actions. */
export function SettingRow({ icon, title, text, action }: SettingRowProps) {
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        alignItems: 'center',
        columnGap: 3,
        rowGap: 2,
        px: { xs: 4, sm: 6 },
        py: 3,
        minHeight: 64,
      }}
    >
      {icon && <Box sx={{ display: 'grid', flex: 'none', color: 'text.secondary' }}>{icon}</Box>}
      <Box sx={{ flex: { xs: '1 1 180px', sm: 1 }, minWidth: 0 }}>
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            columnGap: 2,
            rowGap: 1,
            typography: 'subtitle2',
          }}
        >
          {title}
        </Box>
        <Box sx={{ typography: 'body2', color: 'text.secondary', overflowWrap: 'anywhere' }}>{text}</Box>
      </Box>
      {action && <Box sx={{ flex: 'none' }}>{action}</Box>}
    </Box>
  );
}

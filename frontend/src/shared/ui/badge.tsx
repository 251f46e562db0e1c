import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export type BadgeTone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

const textColours: Record<BadgeTone, string> = {
  neutral: 'text.secondary',
  accent: 'primary.main',
  success: 'success.main',
  warning: 'warning.main',
  danger: 'error.main',
};

interface Props {
  tone?: BadgeTone;
  icon?: ReactNode;
  children: ReactNode;
}

/** A short label for a state. */
export function Badge({ tone = 'neutral', icon, children }: Props) {
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1,
        px: 2,
        py: 0.5,
        borderRadius: 1,
        typography: 'caption',
        fontWeight: 'fontWeightMedium',
        whiteSpace: 'nowrap',
        bgcolor: `tint.${tone}`,
        color: textColours[tone],
        '& svg': { fontSize: 'inherit' },
      }}
    >
      {icon}
      {children}
    </Box>
  );
}

import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface Props {
  icon?: ReactNode;
  title: string;
  /** One sentence on what this page is for. */
  text?: ReactNode;
  /** The action that adds the first item. */
  action?: ReactNode;
}

/** Shown where there are no items yet. */
export function EmptyState({ icon, title, text, action }: Props) {
  return (
    <Box sx={{ display: 'grid', justifyItems: 'center', gap: 2, px: 4, py: 12, textAlign: 'center' }}>
      {icon && (
        <Box
          sx={{
            display: 'grid',
            placeItems: 'center',
            width: 48,
            height: 48,
            mb: 1,
            borderRadius: '50%',
            bgcolor: 'tint.neutral',
            color: 'text.secondary',
          }}
        >
          {icon}
        </Box>
      )}
      <Typography variant="h3" component="p">
        {title}
      </Typography>
      {text && (
        <Typography color="textSecondary" sx={{ maxWidth: '44ch' }}>
          {text}
        </Typography>
      )}
      {action && <Box sx={{ mt: 2 }}>{action}</Box>}
    </Box>
  );
}

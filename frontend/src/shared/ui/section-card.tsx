import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';

interface Props {
  title: string;
  text?: string;
  /** Shown to the right of the title. */
  action?: ReactNode;
  children?: ReactNode;
}

/** A titled section of a page: a card. */
export function SectionCard({ title, text, action, children }: Props) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} sx={{ p: { xs: 4, sm: 6 } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'flex-start' }}>
        <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
          <Typography id={id} variant="h3" component="h2">
            {title}
          </Typography>
          {text && (
            <Typography color="textSecondary" sx={{ mt: 1, maxWidth: '64ch' }}>
              {text}
            </Typography>
          )}
        </Box>
        {action}
      </Box>
      {children && <Box sx={{ mt: 5 }}>{children}</Box>}
    </Card>
  );
}

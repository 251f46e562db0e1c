import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';

interface Props {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

/** A titled card of the dashboard. */
export function DashboardCard({ title, action, children }: Props) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id}>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'space-between',
          minHeight: 52,
          px: 4,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Typography id={id} variant="h3" component="h2">
          {title}
        </Typography>
        {action}
      </Box>
      {children}
    </Card>
  );
}

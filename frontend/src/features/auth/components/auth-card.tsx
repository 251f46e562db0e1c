import Card from '@mui/material/Card';
import CardContent from '@mui/material/CardContent';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTitle } from '../../../shared/hooks/use-title';

interface Props {
  title: string;
  text?: ReactNode;
  children: ReactNode;
}

/** The card around a form of the auth pages. */
export function AuthCard({ title, text, children }: Props) {
  useTitle(title);
  return (
    <Card sx={{ width: '100%', maxWidth: 440 }}>
      <CardContent sx={{ p: { xs: 5, sm: 8 }, '&:last-child': { pb: { xs: 5, sm: 8 } } }}>
        <Typography variant="h1" sx={{ mb: text ? 1 : 6 }}>
          {title}
        </Typography>
        {text && (
          <Typography color="textSecondary" sx={{ mb: 6, overflowWrap: 'anywhere' }}>
            {text}
          </Typography>
        )}
        {children}
      </CardContent>
    </Card>
  );
}

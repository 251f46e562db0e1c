import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useTitle } from '../hooks/use-title';

interface Props {
  title: string;
  /** One line below the title. */
  description?: ReactNode;
  badge?: ReactNode;
  back?: { to: string; label: string };
  /** Actions of the page, the primary one last. */
  actions?: ReactNode;
  /** Keeps the actions in the row of the title on phones: they are icons there. */
  hasCompactActions?: boolean;
}

/** Page header with title, badge and actions. Also sets the document title. */
export function PageHeader({ title, description, badge, back, actions, hasCompactActions = false }: Props) {
  useTitle(title);
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        mb: hasCompactActions ? { xs: 3, sm: 6 } : 6,
      }}
    >
      {back && (
        <IconButton
          component={Link}
          to={back.to}
          aria-label={back.label}
          edge="start"
          sx={{ alignSelf: 'flex-start', mt: -0.5 }}
        >
          <ArrowBackRounded />
        </IconButton>
      )}
      <Box
        sx={{ flex: hasCompactActions ? { xs: '1 1 0', sm: '1 1 200px' } : '1 1 200px', minWidth: 0, maxWidth: '100%' }}
      >
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
          <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          {badge}
        </Box>
        {description && (
          <Typography color="textSecondary" sx={{ mt: 1, maxWidth: '72ch', overflowWrap: 'anywhere' }}>
            {description}
          </Typography>
        )}
      </Box>
      {actions && (
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            gap: 2,
            ...(hasCompactActions && { alignSelf: { xs: 'flex-start', sm: 'center' }, mt: { xs: -0.5, sm: 0 } }),
          }}
        >
          {actions}
        </Box>
      )}
    </Box>
  );
}

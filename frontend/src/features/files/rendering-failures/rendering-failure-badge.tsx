import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import LockRounded from '@mui/icons-material/LockRounded';
import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import type { Entry } from '../entries';
import { getRenderingFailure } from './rendering-failure';

/** Tells people who manage a file why members can't see its pages. */
export function RenderingFailureBadge({ entry }: { entry: Entry }) {
  const { t } = useTranslation('files');
  const failure = getRenderingFailure(entry);
  if (failure === null) return null;
  const label = t(`notDrawn.${failure}`);
  const Icon = failure === 'locked' ? LockRounded : ErrorOutlineRounded;
  return (
    <Tooltip title={label} describeChild>
      <Box
        component="span"
        role="img"
        aria-label={label}
        sx={{
          zIndex: 1,
          display: 'inline-flex',
          p: 1,
          borderRadius: 1,
          // Keeps it legible on top of an image.
          bgcolor: 'background.paper',
          color: failure === 'locked' ? 'text.secondary' : 'error.main',
        }}
      >
        <Icon sx={{ fontSize: 16 }} />
      </Box>
    </Tooltip>
  );
}

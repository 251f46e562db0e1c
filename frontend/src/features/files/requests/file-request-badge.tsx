import MoveToInboxRounded from '@mui/icons-material/MoveToInboxRounded';
import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import type { Entry } from '../entries';

/** Marks a folder that requests files. */
export function FileRequestBadge({ entry }: { entry: Entry }) {
  const { t } = useTranslation('files');
  if (entry.kind !== 'folder' || !entry.folder.fileRequest) return null;
  const label = t(entry.folder.fileRequest.isOpen ? 'request.open' : 'request.closed');
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
          bgcolor: 'background.paper',
          color: 'text.secondary',
        }}
      >
        <MoveToInboxRounded sx={{ fontSize: 16 }} />
      </Box>
    </Tooltip>
  );
}

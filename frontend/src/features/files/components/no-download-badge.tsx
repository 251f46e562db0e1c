import FileDownloadOffRounded from '@mui/icons-material/FileDownloadOffRounded';
import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import type { Entry } from '../entries';

/** Marks a file that members can view but not download. */
export function NoDownloadBadge({ entry }: { entry: Entry }) {
  const { t } = useTranslation('files');
  if (entry.kind !== 'file' || entry.file.allowDownload !== false) return null;
  const label = t(entry.file.can.allowDownload ? 'downloading.offForMembers' : 'downloading.off');
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
          color: 'text.secondary',
        }}
      >
        <FileDownloadOffRounded sx={{ fontSize: 16 }} />
      </Box>
    </Tooltip>
  );
}

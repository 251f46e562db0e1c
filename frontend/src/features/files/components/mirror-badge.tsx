import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../shared/ui/badge';
import { isReadOnly, type Entry } from '../entries';

/** Marks a mirror's folder with its letter, and search results inside a mirror. */
export function MirrorBadge({ entry }: { entry: Entry }) {
  const { t } = useTranslation('files');
  const isMirror = entry.kind === 'folder' && entry.folder.isMirror;
  if (!isMirror && !(entry.path && isReadOnly(entry))) return null;
  return (
    <Tooltip title={t('mirror.readOnly')} describeChild>
      <Box component="span" role="img" aria-label={t('mirror.readOnly')} sx={{ zIndex: 1, display: 'inline-flex' }}>
        <Badge>m</Badge>
      </Box>
    </Tooltip>
  );
}

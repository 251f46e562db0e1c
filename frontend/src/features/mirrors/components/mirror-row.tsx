import ArrowForwardRounded from '@mui/icons-material/ArrowForwardRounded';
import DeleteRounded from '@mui/icons-material/DeleteRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import MuiLink from '@mui/material/Link';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Badge } from '../../../shared/ui/badge';
import type { Mirror } from '../api/use-mirrors';

interface Props {
  mirror: Mirror;
  /** The zone being viewed. */
  zoneId: number;
  onDelete: () => void;
}

/** A mirror: its source folder, its target zone, and its name there. */
export function MirrorRow({ mirror, zoneId, onDelete }: Props) {
  const { t } = useTranslation('mirrors');
  const isOutgoing = mirror.sourceZoneId === zoneId;
  const label = t('delete', { name: mirror.targetFolderName });
  return (
    <Box
      component="li"
      sx={{ display: 'flex', alignItems: 'center', gap: 3, py: 2, '& + &': { borderTop: 1, borderColor: 'divider' } }}
    >
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2 }}>
          <FolderLink zoneId={mirror.sourceZoneId} folderId={mirror.sourceFolderId} name={mirror.sourceFolderName} />
          <ArrowForwardRounded titleAccess={t('to')} sx={{ color: 'text.secondary' }} />
          <FolderLink zoneId={mirror.targetZoneId} folderId={mirror.targetFolderId} name={mirror.targetFolderName} />
          {mirror.sourceInTrash && <Badge tone="warning">{t('inTrash')}</Badge>}
          {!mirror.isActive && <Badge>{t('hidden')}</Badge>}
        </Box>
        <Typography variant="body2" color="textSecondary">
          {isOutgoing ? t('shownIn', { zone: mirror.targetZoneName }) : t('comesFrom', { zone: mirror.sourceZoneName })}
        </Typography>
      </Box>
      <Tooltip title={label}>
        <IconButton aria-label={label} onClick={onDelete}>
          <DeleteRounded />
        </IconButton>
      </Tooltip>
    </Box>
  );
}

function FolderLink({ zoneId, folderId, name }: { zoneId: number; folderId: number; name: string }) {
  return (
    <MuiLink component={Link} to={`/zones/${zoneId}/folders/${folderId}`} variant="subtitle2">
      {name}
    </MuiLink>
  );
}

import DownloadRounded from '@mui/icons-material/DownloadRounded';
import InsertDriveFileRounded from '@mui/icons-material/InsertDriveFileRounded';
import VisibilityRounded from '@mui/icons-material/VisibilityRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import MuiLink from '@mui/material/Link';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api, type Schema } from '../../shared/api/client';
import { freshness } from '../../shared/api/query-client';
import { inZone } from '../../shared/api/use-zone';
import { useFormat } from '../../shared/hooks/use-format';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { ZoneFolders } from './zone-folders';

/** Files shown of each zone. */
const shown = 5;

type Zone = Schema<'ZoneDto'>;
type StoredFile = Schema<'FileDto'>;

/** The newest files at the top of a zone, with the way to all of them. */
export function ZoneFiles({ zone }: { zone: Zone }) {
  const { t } = useTranslation('filesOverview');
  const format = useFormat();
  const id = useId();
  const empty = zone.fileCount === 0;
  const query = { sort: 'date', order: 'desc', limit: shown } as const;
  const { data, error, refetch } = $api.useQuery(
    'get',
    '/api/zones/{id}/files',
    { params: { path: inZone(zone.id), query } },
    { staleTime: freshness.files, enabled: !empty },
  );
  const files = empty ? [] : data;
  return (
    <Card component="section" aria-labelledby={id}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, minHeight: 52, px: 4, py: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography id={id} variant="h3" component="h2" sx={{ overflowWrap: 'anywhere' }}>
            {zone.name}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {t('count', { count: zone.fileCount, formatted: format.number(zone.fileCount) })}
          </Typography>
        </Box>
        <Button
          component={Link}
          to={`/zones/${zone.id}`}
          aria-label={t('openZone', { zone: zone.name })}
          sx={{ flex: 'none' }}
        >
          {t('open')}
        </Button>
      </Box>
      {error && !data && <ErrorState title={t('filesFailed')} error={error} onRetry={refetch} />}
      {!files && !error && (
        <Box sx={{ px: 4, pb: 2 }}>
          <RowsSkeleton rows={Math.min(zone.fileCount, shown)} />
        </Box>
      )}
      {files?.length === 0 && (
        <Typography color="textSecondary" sx={{ px: 4, pb: empty ? 4 : 2 }}>
          {empty ? t('none') : t('inFolders')}
        </Typography>
      )}
      {files?.length === 0 && !empty && <ZoneFolders zone={zone} />}
      {files && files.length > 0 && <FileList zone={zone} files={files} />}
    </Card>
  );
}

function FileList({ zone, files }: { zone: Zone; files: readonly StoredFile[] }) {
  const { t } = useTranslation('filesOverview');
  return (
    <>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {files.map((file) => (
          <FileRow key={file.id} file={file} />
        ))}
      </Box>
      {zone.fileCount > files.length && (
        <Box sx={{ px: 4, py: 3, borderTop: 1, borderColor: 'divider' }}>
          <MuiLink component={Link} to={`/zones/${zone.id}`} variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            {t('more', { zone: zone.name })}
          </MuiLink>
        </Box>
      )}
    </>
  );
}

function FileRow({ file }: { file: StoredFile }) {
  const { t } = useTranslation('filesOverview');
  const format = useFormat();
  const name = file.originalName;
  return (
    <Box
      component="li"
      sx={{ display: 'flex', alignItems: 'center', gap: 3, px: 4, py: 1, borderTop: 1, borderColor: 'divider' }}
    >
      <InsertDriveFileRounded sx={{ color: 'text.secondary' }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography noWrap title={name}>
          {name}
        </Typography>
        <Typography variant="caption" color="textSecondary">
          {format.size(file.size)} · {format.date(file.createdAt)}
        </Typography>
      </Box>
      <Tooltip title={t('view')}>
        <IconButton
          component={Link}
          to={`/zones/${file.zoneId}?preview=${file.id}`}
          aria-label={t('viewFile', { name })}
        >
          <VisibilityRounded />
        </IconButton>
      </Tooltip>
      {file.can.download && (
        <Tooltip title={t('download')}>
          <IconButton
            component="a"
            href={`/api/files/${file.id}/download`}
            download
            aria-label={t('downloadFile', { name })}
          >
            <DownloadRounded />
          </IconButton>
        </Tooltip>
      )}
    </Box>
  );
}

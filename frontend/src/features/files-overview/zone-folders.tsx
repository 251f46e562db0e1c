import FolderRounded from '@mui/icons-material/FolderRounded';
import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api, type Schema } from '../../shared/api/client';
import { freshness } from '../../shared/api/query-client';
import { inZone } from '../../shared/api/use-zone';
import { useFormat } from '../../shared/hooks/use-format';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';

/** Folders shown of a zone. */
const shown = 5;

/** The folders at the top of a zone whose files all lie in folders, each as the way to what is in it. */
export function ZoneFolders({ zone }: { zone: Schema<'ZoneDto'> }) {
  const { t } = useTranslation('filesOverview');
  const format = useFormat();
  const query = { limit: shown } as const;
  const { data, error, refetch } = $api.useQuery(
    'get',
    '/api/zones/{id}/folders',
    { params: { path: inZone(zone.id), query } },
    { staleTime: freshness.files },
  );
  if (error && !data) return <ErrorState title={t('filesFailed')} error={error} onRetry={refetch} />;
  if (!data) {
    return (
      <Box sx={{ px: 4, pb: 2 }}>
        <RowsSkeleton rows={Math.min(zone.folderCount, shown)} />
      </Box>
    );
  }
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {data.map(({ id, name, fileCount }) => (
        <Box
          component="li"
          key={id}
          sx={{ display: 'flex', alignItems: 'center', gap: 3, px: 4, py: 2, borderTop: 1, borderColor: 'divider' }}
        >
          <FolderRounded aria-hidden sx={{ color: 'text.secondary' }} />
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <MuiLink
              component={Link}
              to={`/zones/${zone.id}/folders/${id}`}
              underline="hover"
              noWrap
              title={name}
              sx={{ display: 'block' }}
            >
              {name}
            </MuiLink>
            <Typography variant="caption" color="textSecondary">
              {t('count', { count: fileCount, formatted: format.number(fileCount) })}
            </Typography>
          </Box>
        </Box>
      ))}
    </Box>
  );
}

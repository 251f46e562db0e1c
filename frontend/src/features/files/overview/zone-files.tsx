import DownloadRounded from '@mui/icons-material/DownloadRounded';
import InsertDriveFileRounded from '@mui/icons-material/InsertDriveFileRounded';
import VisibilityRounded from '@mui/icons-material/VisibilityRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/list-page';
import { staleTimes } from '../../../shared/api/query-client';
import { zonePathParams } from '../../../shared/api/use-zone';
import { readerUrl } from '../../../shared/files/reader-navigation';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';

/** Number of files of each zone shown at first, and added with each further page. */
const INITIAL_PAGE_SIZE = 5;
const NEXT_PAGE_SIZE = 50;

type Zone = Schema<'ZoneDto'>;
type StoredFile = Schema<'FileDto'>;

/** All files of a zone in all folders, newest first, loaded on demand. */
export function ZoneFiles({ zone }: { zone: Zone }) {
  const { t } = useTranslation('filesOverview');
  const format = useFormat();
  const id = useId();
  const isEmpty = zone.fileCount === 0;
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useZoneFiles(zone.id, !isEmpty);
  const files = isEmpty ? [] : data?.pages.flatMap(({ items }) => items);
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
          <RowsSkeleton rows={Math.min(zone.fileCount, INITIAL_PAGE_SIZE)} />
        </Box>
      )}
      {files?.length === 0 && (
        <Typography color="textSecondary" sx={{ px: 4, pb: 4 }}>
          {t('none')}
        </Typography>
      )}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {files?.map((file) => (
          <FileRow key={file.id} file={file} />
        ))}
      </Box>
      {files && error && <ErrorState title={t('filesFailed')} error={error} onRetry={fetchNextPage} />}
      {files && hasNextPage && !error && (
        <Box sx={{ px: 4, py: 3, borderTop: 1, borderColor: 'divider' }}>
          <Button
            onClick={() => void fetchNextPage()}
            loading={isFetchingNextPage}
            aria-label={t('moreOf', { zone: zone.name })}
          >
            {t('more')}
          </Button>
        </Box>
      )}
    </Card>
  );
}

function useZoneFiles(zoneId: number, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['get', '/api/zones/{id}/all-files', { zoneId }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<StoredFile>> => {
      const query = { limit: cursor === undefined ? INITIAL_PAGE_SIZE : NEXT_PAGE_SIZE, cursor };
      const params = { path: zonePathParams(zoneId), query };
      const { data, response } = await api.GET('/api/zones/{id}/all-files', { params, signal });
      return toPage(data, response.headers);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    staleTime: staleTimes.files,
    enabled,
  });
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
        <IconButton component={Link} to={readerUrl(file.zoneId, file.id)} aria-label={t('viewFile', { name })}>
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

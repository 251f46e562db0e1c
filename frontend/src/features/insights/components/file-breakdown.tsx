import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api, type Schema } from '../../../shared/api/client';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { formatDuration } from '../../../shared/format/duration';
import { useFormat, useLanguage } from '../../../shared/hooks/use-format';
import { useTimeZone } from '../../../shared/hooks/use-time-zone';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import type { Range } from '../range';
import { useZoneChoice, ZoneFilter } from './zone-filter';

type FileFigures = Schema<'FileFiguresDto'>;

/** What is read most, and what nobody has opened, in all zones or in one. */
export function FileBreakdown({ range }: { range: Range }) {
  const { t } = useTranslation('insights');
  const choice = useZoneChoice('filesZone');
  const { zoneId } = choice;
  const query = { range, timeZone: useTimeZone(), ...(zoneId && { zoneId: Number(zoneId) }) };
  const { data, error, refetch } = $api.useQuery('get', '/api/analytics/files', { params: { query } });
  return (
    <SectionCard title={t('files.title')} text={t('files.text')}>
      <Stack spacing={4}>
        <ZoneFilter label={t('files.zone')} choice={choice} />
        {error && !data && <ErrorState title={t('files.failed')} error={error} onRetry={refetch} />}
        {!data && !error && <RowsSkeleton />}
        {data && <MostRead files={data.mostRead} />}
        {data && data.unopenedCount > 0 && <Unopened files={data.unopened} count={data.unopenedCount} />}
      </Stack>
    </SectionCard>
  );
}

function MostRead({ files }: { files: FileFigures['mostRead'] }) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const language = useLanguage();
  if (files.length === 0) return <Typography color="textSecondary">{t('files.nothingRead')}</Typography>;
  return (
    <TitledTable title={t('files.mostRead')}>
      <TableFrame
        label={t('files.mostRead')}
        columns="minmax(0, 1fr) 128px 96px 128px 112px"
        rowCount={files.length + 1}
      >
        <TableRow rowIndex={1} isHeader>
          <TableCell isHeader>{t('files.name')}</TableCell>
          <TableCell isHeader isNumeric>
            {t('files.time')}
          </TableCell>
          <TableCell isHeader isNumeric>
            {t('files.readers')}
          </TableCell>
          <TableCell isHeader isNumeric>
            {t('files.views')}
          </TableCell>
          <TableCell isHeader isNumeric>
            {t('files.downloads')}
          </TableCell>
        </TableRow>
        {files.map((file, index) => (
          <TableRow key={file.id} rowIndex={index + 2}>
            <TableCell>
              <FileName file={file} />
            </TableCell>
            <TableCell hideOnMobile isNumeric>
              {formatDuration(file.ms, language)}
            </TableCell>
            <TableCell hideOnMobile isNumeric>
              {format.number(file.readers)}
            </TableCell>
            <TableCell hideOnMobile isNumeric>
              {format.number(file.views)}
            </TableCell>
            <TableCell isNumeric>
              <Box component="span" sx={{ display: { xs: 'none', md: 'inline' } }}>
                {format.number(file.downloads)}
              </Box>
              <Box component="span" sx={{ display: { md: 'none' }, color: 'text.secondary' }}>
                {formatDuration(file.ms, language)}
              </Box>
            </TableCell>
          </TableRow>
        ))}
      </TableFrame>
    </TitledTable>
  );
}

function Unopened({ files, count }: { files: FileFigures['unopened']; count: number }) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const title = t('files.unopened', { formatted: format.number(count) });
  return (
    <TitledTable title={title}>
      <TableFrame label={title} columns="minmax(0, 1fr) 160px" rowCount={files.length + 1}>
        <TableRow rowIndex={1} isHeader>
          <TableCell isHeader>{t('files.name')}</TableCell>
          <TableCell isHeader isNumeric>
            {t('files.uploaded')}
          </TableCell>
        </TableRow>
        {files.map((file, index) => (
          <TableRow key={file.id} rowIndex={index + 2}>
            <TableCell>
              <FileName file={file} />
            </TableCell>
            <TableCell isNumeric>
              <Box component="span" sx={{ color: 'text.secondary' }}>
                {format.shortDate(file.createdAt)}
              </Box>
            </TableCell>
          </TableRow>
        ))}
      </TableFrame>
    </TitledTable>
  );
}

/** The title is above the table, because narrow screens show no headings of columns. */
function TitledTable({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box>
      <Typography variant="subtitle2" component="h3" sx={{ mb: 2 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}

function FileName({ file }: { file: { id: number; name: string; zoneId: number; zoneName: string } }) {
  return (
    <Box sx={{ minWidth: 0, py: 2 }}>
      <MuiLink
        component={Link}
        to={`/zones/${file.zoneId}/files/${file.id}`}
        title={file.name}
        variant="subtitle2"
        noWrap
        sx={{ display: 'block' }}
      >
        {file.name}
      </MuiLink>
      <Typography variant="caption" color="textSecondary" noWrap component="p" title={file.zoneName}>
        {file.zoneName}
      </Typography>
    </Box>
  );
}

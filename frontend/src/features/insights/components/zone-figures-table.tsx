import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import TableSortLabel from '@mui/material/TableSortLabel';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { useUrlChoice } from '../../../shared/browse/use-url-choice';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { useFormat, useLanguage } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { sortZones, zoneColumns, type ZoneColumn, type ZoneFigures } from '../sort-zones';

const columnWidths = 'minmax(0, 1fr) 112px 88px 96px 128px 112px';
const columnTitles = { fileCount: 'files', memberCount: 'members', views: 'views', downloads: 'downloads' } as const;

/** Number of zones shown initially, so that the content below the table stays within reach. */
const INITIAL_ROWS = 10;

/**
 * The zones with their figures, most viewed first; other columns sort on click, and further zones are shown on demand.
 */
export function ZoneFiguresTable({ zones }: { zones: readonly ZoneFigures[] }) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const language = useLanguage();
  const [sortBy, setSortBy] = useUrlChoice<ZoneColumn>('sort', ['name', ...zoneColumns], 'views');
  const [shown, setShown] = useUrlChoice('zones', ['top', 'all'], 'top');
  const sorted = useMemo(() => sortZones(zones, sortBy, language), [zones, sortBy, language]);
  const rows = shown === 'all' ? sorted : sorted.slice(0, INITIAL_ROWS);
  return (
    <>
      <ZoneRows rows={rows} sortBy={sortBy} onSort={setSortBy} />
      {rows.length < sorted.length && (
        <Button onClick={() => setShown('all')} sx={{ mt: 3 }}>
          {t('zones.all', { count: sorted.length, shown: format.number(sorted.length) })}
        </Button>
      )}
    </>
  );
}

interface RowsProps {
  rows: readonly ZoneFigures[];
  sortBy: ZoneColumn;
  onSort: (by: ZoneColumn) => void;
}

function ZoneRows({ rows, sortBy, onSort }: RowsProps) {
  const { t } = useTranslation('insights');
  return (
    <TableFrame label={t('zones.title')} columns={columnWidths} rowCount={rows.length + 1}>
      <TableRow rowIndex={1} isHeader>
        <TableCell isHeader sortDirection={sortBy === 'name' ? 'ascending' : undefined}>
          <TableSortLabel active={sortBy === 'name'} direction="asc" onClick={() => onSort('name')}>
            {t('zones.name')}
          </TableSortLabel>
        </TableCell>
        <TableCell isHeader>{t('zones.type')}</TableCell>
        {zoneColumns.map((column) => (
          <TableCell key={column} isHeader isNumeric sortDirection={sortBy === column ? 'descending' : undefined}>
            <TableSortLabel
              active={sortBy === column}
              direction="desc"
              onClick={() => onSort(column)}
              sx={{ flexDirection: 'row-reverse' }}
            >
              {t(`zones.${columnTitles[column]}`)}
            </TableSortLabel>
          </TableCell>
        ))}
      </TableRow>
      <VirtualItems
        count={rows.length}
        itemHeight={44}
        getKey={(index) => rows[index]!.id}
        renderItem={(index) => <ZoneRow zone={rows[index]!} rowIndex={index + 2} />}
      />
    </TableFrame>
  );
}

function ZoneRow({ zone, rowIndex }: { zone: ZoneFigures; rowIndex: number }) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const facts = t('zones.facts', {
    files: format.number(zone.fileCount),
    members: format.number(zone.memberCount),
    downloads: format.number(zone.downloads),
  });
  return (
    <TableRow rowIndex={rowIndex}>
      <TableCell>
        <Box sx={{ minWidth: 0, py: 2 }}>
          <MuiLink
            component={Link}
            to={`/zones/${zone.id}`}
            title={zone.name}
            variant="subtitle2"
            noWrap
            sx={{ display: 'block' }}
          >
            {zone.name}
          </MuiLink>
          <Typography variant="caption" color="textSecondary" noWrap component="p" title={zone.description}>
            {zone.description}
          </Typography>
          <Typography variant="caption" color="textSecondary" component="p" sx={{ display: { md: 'none' } }}>
            {t(`zones.${zone.type}`)} · {facts}
          </Typography>
        </Box>
      </TableCell>
      <TableCell hideOnMobile>
        <Badge tone={zone.type === 'public' ? 'success' : 'neutral'}>{t(`zones.${zone.type}`)}</Badge>
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        {format.number(zone.fileCount)}
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        {format.number(zone.memberCount)}
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        {format.number(zone.views)}
      </TableCell>
      <TableCell isNumeric>
        <Box component="span" sx={{ display: { xs: 'none', md: 'inline' } }}>
          {format.number(zone.downloads)}
        </Box>
        <Box component="span" sx={{ display: { md: 'none' }, color: 'text.secondary' }}>
          {t('zones.views')}: {format.number(zone.views)}
        </Box>
      </TableCell>
    </TableRow>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import TableSortLabel from '@mui/material/TableSortLabel';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { useFormat, useLanguage } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { sortedZones, zoneColumns, type ZoneColumn, type ZoneFigures } from '../sort-zones';

const widths = 'minmax(0, 1fr) 112px 88px 96px 128px 112px';
const titles = { fileCount: 'files', memberCount: 'members', views: 'views', downloads: 'downloads' } as const;

/** Zones shown at first: what stands below the table stays within reach. */
const FIRST = 10;

/** The zones with their figures, the most viewed first; other columns sort by a click, the rest is shown when asked for. */
export function ZoneFiguresTable({ zones }: { zones: readonly ZoneFigures[] }) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const language = useLanguage();
  const [by, setBy] = useState<ZoneColumn>('views');
  const [all, setAll] = useState(false);
  const sorted = useMemo(() => sortedZones(zones, by, language), [zones, by, language]);
  const rows = all ? sorted : sorted.slice(0, FIRST);
  return (
    <>
      <ZoneRows rows={rows} by={by} onSort={setBy} />
      {!all && sorted.length > FIRST && (
        <Button onClick={() => setAll(true)} sx={{ mt: 3, mx: { xs: 4, sm: 0 } }}>
          {t('zones.all', { count: sorted.length, shown: format.number(sorted.length) })}
        </Button>
      )}
    </>
  );
}

interface RowsProps {
  rows: readonly ZoneFigures[];
  by: ZoneColumn;
  onSort: (by: ZoneColumn) => void;
}

function ZoneRows({ rows, by, onSort }: RowsProps) {
  const { t } = useTranslation('insights');
  return (
    <TableFrame label={t('zones.title')} columns={widths} rows={rows.length + 1}>
      <TableRow at={1} head>
        <TableCell head sort={by === 'name' ? 'ascending' : undefined}>
          <TableSortLabel active={by === 'name'} direction="asc" onClick={() => onSort('name')}>
            {t('zones.name')}
          </TableSortLabel>
        </TableCell>
        <TableCell head>{t('zones.type')}</TableCell>
        {zoneColumns.map((column) => (
          <TableCell key={column} head figure sort={by === column ? 'descending' : undefined}>
            <TableSortLabel
              active={by === column}
              direction="desc"
              onClick={() => onSort(column)}
              sx={{ flexDirection: 'row-reverse' }}
            >
              {t(`zones.${titles[column]}`)}
            </TableSortLabel>
          </TableCell>
        ))}
      </TableRow>
      <VirtualItems
        count={rows.length}
        height={44}
        keyOf={(index) => rows[index]!.id}
        renderItem={(index) => <ZoneRow zone={rows[index]!} at={index + 2} />}
      />
    </TableFrame>
  );
}

function ZoneRow({ zone, at }: { zone: ZoneFigures; at: number }) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const facts = t('zones.facts', {
    files: format.number(zone.fileCount),
    members: format.number(zone.memberCount),
    downloads: format.number(zone.downloads),
  });
  return (
    <TableRow at={at}>
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
      <TableCell wide>
        <Badge tone={zone.type === 'public' ? 'success' : 'neutral'}>{t(`zones.${zone.type}`)}</Badge>
      </TableCell>
      <TableCell wide figure>
        {format.number(zone.fileCount)}
      </TableCell>
      <TableCell wide figure>
        {format.number(zone.memberCount)}
      </TableCell>
      <TableCell wide figure>
        {format.number(zone.views)}
      </TableCell>
      <TableCell figure>
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

import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StretchedLink } from '../../../shared/browse/stretched-link';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { useFormat } from '../../../shared/hooks/use-format';
import type { Zone } from '../sort-zones';
import { FavoriteStar } from './favorite-star';
import { useZoneCounts } from './use-zone-counts';
import { ZoneMenu, type EditedField } from './zone-menu';
import { ZoneTypeBadge } from './zone-type-badge';

const columns = 'minmax(0, 1fr) 120px 80px 80px 112px 72px';

type OnEdit = (zone: Zone, field: EditedField) => void;

/** Zones as rows. */
export function ZoneTable({ zones, onEdit }: { zones: readonly Zone[]; onEdit: OnEdit }) {
  const { t } = useTranslation('zones');
  return (
    <TableFrame label={t('list')} columns={columns} rowCount={zones.length + 1}>
      <TableRow rowIndex={1} isHeader>
        <TableCell isHeader>{t('sort.name')}</TableCell>
        <TableCell isHeader hideOnMobile>
          {t('sort.type')}
        </TableCell>
        <TableCell isHeader isNumeric>
          {t('sort.files')}
        </TableCell>
        <TableCell isHeader isNumeric>
          {t('sort.members')}
        </TableCell>
        <TableCell isHeader isNumeric>
          {t('sort.updated')}
        </TableCell>
        <TableCell isHeader>
          <Box component="span" className="z-visually-hidden">
            {t('menu.column')}
          </Box>
        </TableCell>
      </TableRow>
      <VirtualItems
        count={zones.length}
        itemHeight={44}
        getKey={(index) => zones[index]!.id}
        renderItem={(index) => <ZoneRow zone={zones[index]!} rowIndex={index + 2} onEdit={onEdit} />}
      />
    </TableFrame>
  );
}

function ZoneRow({ zone, rowIndex, onEdit }: { zone: Zone; rowIndex: number; onEdit: OnEdit }) {
  const { t } = useTranslation('zones');
  const format = useFormat();
  const counts = useZoneCounts(zone);
  return (
    <TableRow rowIndex={rowIndex}>
      <TableCell>
        <Box sx={{ minWidth: 0, py: { xs: 2, md: 0 } }}>
          <Typography variant="subtitle2" noWrap>
            <StretchedLink to={`/zones/${zone.id}`}>{zone.name}</StretchedLink>
          </Typography>
          <Typography variant="body2" color="textSecondary" sx={{ display: { md: 'none' } }}>
            {[t(`types.${zone.type}`), ...counts].join(' · ')}
          </Typography>
        </Box>
      </TableCell>
      <TableCell hideOnMobile>
        <ZoneTypeBadge type={zone.type} />
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        {format.number(zone.fileCount)}
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        {format.number(zone.memberCount)}
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        {format.date(zone.updatedAt)}
      </TableCell>
      <TableCell isNumeric>
        <Box sx={{ display: 'flex', mr: -2 }}>
          <FavoriteStar zone={zone} />
          <ZoneMenu zone={zone} onEdit={onEdit} />
        </Box>
      </TableCell>
    </TableRow>
  );
}

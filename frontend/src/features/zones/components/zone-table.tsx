import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StretchedLink } from '../../../shared/browse/stretched-link';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { useFormat } from '../../../shared/hooks/use-format';
import type { Zone } from '../sort-zones';
import { FavoriteStar } from './favorite-star';
import { useZoneFacts } from './zone-facts';
import { ZoneMenu, type EditedField } from './zone-menu';
import { ZoneTypeBadge } from './zone-type-badge';

const columns = 'minmax(0, 1fr) 120px 80px 80px 112px 72px';

type OnEdit = (zone: Zone, field: EditedField) => void;

/** The zones as rows. */
export function ZoneTable({ zones, onEdit }: { zones: readonly Zone[]; onEdit: OnEdit }) {
  const { t } = useTranslation('zones');
  return (
    <TableFrame label={t('list')} columns={columns} rows={zones.length + 1}>
      <TableRow at={1} head>
        <TableCell head>{t('sort.name')}</TableCell>
        <TableCell head wide>
          {t('sort.type')}
        </TableCell>
        <TableCell head figure>
          {t('sort.files')}
        </TableCell>
        <TableCell head figure>
          {t('sort.members')}
        </TableCell>
        <TableCell head figure>
          {t('sort.updated')}
        </TableCell>
        <TableCell head>
          <Box component="span" className="z-visually-hidden">
            {t('menu.column')}
          </Box>
        </TableCell>
      </TableRow>
      <VirtualItems
        count={zones.length}
        height={44}
        keyOf={(index) => zones[index]!.id}
        renderItem={(index) => <ZoneRow zone={zones[index]!} at={index + 2} onEdit={onEdit} />}
      />
    </TableFrame>
  );
}

function ZoneRow({ zone, at, onEdit }: { zone: Zone; at: number; onEdit: OnEdit }) {
  const { t } = useTranslation('zones');
  const format = useFormat();
  const facts = useZoneFacts(zone);
  return (
    <TableRow at={at}>
      <TableCell>
        <Box sx={{ minWidth: 0, py: { xs: 2, md: 0 } }}>
          <Typography variant="subtitle2" noWrap>
            <StretchedLink to={`/zones/${zone.id}`}>{zone.name}</StretchedLink>
          </Typography>
          <Typography variant="body2" color="textSecondary" sx={{ display: { md: 'none' } }}>
            {[t(`types.${zone.type}`), ...facts].join(' · ')}
          </Typography>
        </Box>
      </TableCell>
      <TableCell wide>
        <ZoneTypeBadge type={zone.type} />
      </TableCell>
      <TableCell wide figure>
        {format.number(zone.fileCount)}
      </TableCell>
      <TableCell wide figure>
        {format.number(zone.memberCount)}
      </TableCell>
      <TableCell wide figure>
        {format.date(zone.updatedAt)}
      </TableCell>
      <TableCell figure>
        <Box sx={{ display: 'flex', mr: -2 }}>
          <FavoriteStar zone={zone} />
          <ZoneMenu zone={zone} onEdit={onEdit} />
        </Box>
      </TableCell>
    </TableRow>
  );
}

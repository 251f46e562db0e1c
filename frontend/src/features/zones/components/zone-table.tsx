import StarRounded from '@mui/icons-material/StarRounded';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StretchedLink } from '../../../shared/browse/stretched-link';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { useFormat } from '../../../shared/hooks/use-format';
import type { Zone } from '../sort-zones';
import { useZoneFacts } from './zone-facts';
import { ZoneTypeBadge } from './zone-type-badge';

const columns = 'minmax(0, 1fr) 120px 80px 80px 112px';

/** The zones as rows. */
export function ZoneTable({ zones }: { zones: readonly Zone[] }) {
  const { t } = useTranslation('zones');
  return (
    <TableFrame label={t('list')} columns={columns} rows={zones.length + 1}>
      <TableRow at={1} head>
        <TableCell head>{t('sort.name')}</TableCell>
        <TableCell head>{t('sort.type')}</TableCell>
        <TableCell head figure>
          {t('sort.files')}
        </TableCell>
        <TableCell head figure>
          {t('sort.members')}
        </TableCell>
        <TableCell head figure>
          {t('sort.updated')}
        </TableCell>
      </TableRow>
      <VirtualItems
        count={zones.length}
        height={44}
        keyOf={(index) => zones[index]!.id}
        renderItem={(index) => <ZoneRow zone={zones[index]!} at={index + 2} />}
      />
    </TableFrame>
  );
}

function ZoneRow({ zone, at }: { zone: Zone; at: number }) {
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
            {facts.join(' · ')}
          </Typography>
        </Box>
        {zone.isFavorite && <StarRounded titleAccess={t('favorite')} sx={{ color: 'text.secondary' }} />}
      </TableCell>
      <TableCell>
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
    </TableRow>
  );
}

import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { useFormat } from '../../../shared/hooks/use-format';
import type { SharedZone } from '../sort-shared-zones';
import { DismissZoneButton } from './dismiss-zone-button';
import { LeaveZoneButton } from './leave-zone-button';
import { ExpiryBadge, RoleBadge } from './membership-badges';
import { ViewFilesButton } from './view-files-button';

const columns = 'minmax(0, 1fr) 96px 192px 112px 256px';

/** Shared zones as rows. */
export function SharedZoneTable({ zones }: { zones: readonly SharedZone[] }) {
  const { t } = useTranslation('sharedZones');
  return (
    <TableFrame label={t('list')} columns={columns} rowCount={zones.length + 1}>
      <TableRow rowIndex={1} isHeader>
        <TableCell isHeader>{t('sort.name')}</TableCell>
        <TableCell isHeader>{t('sort.role')}</TableCell>
        <TableCell isHeader>{t('columns.expiry')}</TableCell>
        <TableCell isHeader isNumeric>
          {t('sort.updated')}
        </TableCell>
        <TableCell isHeader>
          <span className="z-visually-hidden">{t('columns.actions')}</span>
        </TableCell>
      </TableRow>
      <VirtualItems
        count={zones.length}
        itemHeight={44}
        getKey={(index) => zones[index]!.id}
        renderItem={(index) => <SharedZoneRow zone={zones[index]!} rowIndex={index + 2} />}
      />
    </TableFrame>
  );
}

function SharedZoneRow({ zone, rowIndex }: { zone: SharedZone; rowIndex: number }) {
  const format = useFormat();
  return (
    <TableRow rowIndex={rowIndex}>
      <TableCell>
        <Box sx={{ minWidth: 0, py: { xs: 2, md: 0 } }}>
          <Typography variant="subtitle2" noWrap title={zone.name}>
            {zone.name}
          </Typography>
          <Box sx={{ display: { xs: 'flex', md: 'none' }, flexWrap: 'wrap', gap: 1, mt: 1 }}>
            <RoleBadge role={zone.memberRole} />
            <ExpiryBadge expiresAt={zone.memberExpiresAt} />
          </Box>
        </Box>
      </TableCell>
      <TableCell hideOnMobile>
        <RoleBadge role={zone.memberRole} />
      </TableCell>
      <TableCell hideOnMobile>
        <ExpiryBadge expiresAt={zone.memberExpiresAt} />
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        {format.date(zone.updatedAt)}
      </TableCell>
      <TableCell isNumeric>
        <Box sx={{ display: 'flex', flexDirection: { xs: 'column', md: 'row' }, gap: 1, py: { xs: 2, md: 0 } }}>
          <LeaveZoneButton zone={zone} />
          <DismissZoneButton zone={zone} />
          <ViewFilesButton zone={zone} />
        </Box>
      </TableCell>
    </TableRow>
  );
}

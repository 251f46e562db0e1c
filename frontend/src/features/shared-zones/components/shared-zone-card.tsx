import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { SharedZone } from '../sort-shared-zones';
import { DismissZoneButton } from './dismiss-zone-button';
import { LeaveZoneButton } from './leave-zone-button';
import { ExpiryBadge, RoleBadge } from './membership-badges';
import { ViewFilesButton } from './view-files-button';

/** A shared zone in the grid. */
export function SharedZoneCard({ zone }: { zone: SharedZone }) {
  const { t } = useTranslation('sharedZones');
  const format = useFormat();
  return (
    <Card component="article" sx={{ display: 'flex', flexDirection: 'column', gap: 3, height: '100%', p: 4 }}>
      <Typography variant="h3" component="h2" sx={{ overflowWrap: 'anywhere' }}>
        {zone.name}
      </Typography>
      <Typography
        color="textSecondary"
        sx={{
          flex: 1,
          overflow: 'hidden',
          overflowWrap: 'anywhere',
          display: '-webkit-box',
          WebkitLineClamp: 2,
          WebkitBoxOrient: 'vertical',
        }}
      >
        {zone.description}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <RoleBadge role={zone.memberRole} />
        <ExpiryBadge expiresAt={zone.memberExpiresAt} />
      </Box>
      {zone.can.read && (
        <Typography variant="body2" color="textSecondary">
          {t('members', { count: zone.memberCount, formatted: format.number(zone.memberCount) })}
          {' · '}
          {t('updated', { date: format.date(zone.updatedAt) })}
        </Typography>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 2, minHeight: 36 }}>
        <LeaveZoneButton zone={zone} />
        <DismissZoneButton zone={zone} />
        <ViewFilesButton zone={zone} />
      </Box>
    </Card>
  );
}

import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { SectionCard } from '../../../shared/ui/section-card';
import { StandaloneLink } from '../../../shared/ui/standalone-link';
import { UserAvatar } from '../../../shared/ui/user-avatar';
import { ExpiryBadge } from '../components/membership-badges';
import { rowStyles, listStyles } from './row-styles';

type HomeZone = Schema<'HomeZoneDto'>;

/** The server stops counting here. */
const MAX_NEW_COUNT = 100;

/** The zones the user is a member of, their owners, and the number of new files. */
export function HomeZones({ zones }: { zones: readonly HomeZone[] }) {
  const { t } = useTranslation('sharedZones');
  const viewAllLink = (
    <StandaloneLink to="/shared-zones" variant="body2">
      {t('home.all')}
    </StandaloneLink>
  );
  return (
    <SectionCard title={t('home.zones')} action={viewAllLink}>
      <Box component="ul" sx={listStyles}>
        {zones.map((zone) => (
          <Box component="li" key={zone.id}>
            <ButtonBase component={Link} to={`/zones/${zone.id}`} sx={rowStyles}>
              <UserAvatar person={{ firstName: zone.owner.name, profileImageUrl: zone.owner.profileImageUrl }} />
              <ZoneSummary zone={zone} />
              <NewFilesBadge count={zone.newFiles} />
            </ButtonBase>
          </Box>
        ))}
      </Box>
    </SectionCard>
  );
}

function ZoneSummary({ zone }: { zone: HomeZone }) {
  const { t } = useTranslation('sharedZones');
  const format = useFormat();
  const details = [
    ...(zone.owner.name ? [t('home.by', { name: zone.owner.name })] : []),
    ...(zone.lastFileAt ? [t('home.lastFile', { date: format.date(zone.lastFileAt) })] : []),
  ];
  return (
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography variant="subtitle2" component="p" sx={{ overflowWrap: 'anywhere' }}>
        {zone.name}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {details.join(' · ')}
      </Typography>
      {zone.memberExpiresAt && (
        <Box sx={{ mt: 1 }}>
          <ExpiryBadge expiresAt={zone.memberExpiresAt} />
        </Box>
      )}
    </Box>
  );
}

function NewFilesBadge({ count }: { count: number }) {
  const { t } = useTranslation('sharedZones');
  const format = useFormat();
  if (count === 0) return null;
  const formatted = format.number(Math.min(count, MAX_NEW_COUNT - 1));
  return (
    <Badge tone="accent">
      {count < MAX_NEW_COUNT ? t('home.new', { formatted }) : t('home.manyNew', { formatted })}
    </Badge>
  );
}

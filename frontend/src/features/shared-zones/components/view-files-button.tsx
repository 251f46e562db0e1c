import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useNow } from '../../../shared/hooks/use-now';
import { getExpiry } from '../expiry';
import type { SharedZone } from '../sort-shared-zones';

/** Opens the zone's files, while the membership is active. */
export function ViewFilesButton({ zone }: { zone: SharedZone }) {
  const { t } = useTranslation('sharedZones');
  if (getExpiry(zone.memberExpiresAt, useNow()).kind === 'expired') return null;
  return (
    <Button component={Link} to={`/zones/${zone.id}`} aria-label={t('viewOf', { name: zone.name })}>
      {t('view')}
    </Button>
  );
}

import { useTranslation } from 'react-i18next';
import { useNow } from '../../../shared/hooks/use-now';
import { Badge } from '../../../shared/ui/badge';
import { getExpiry, getExpiryTone } from '../expiry';
import type { SharedZone } from '../sort-shared-zones';

/** The viewer's role in the zone. */
export function RoleBadge({ role }: { role: SharedZone['memberRole'] }) {
  const { t } = useTranslation('sharedZones');
  return <Badge tone={role === 'admin' ? 'accent' : 'neutral'}>{t(`roles.${role}`)}</Badge>;
}

/** The remaining time of the viewer's membership. */
export function ExpiryBadge({ expiresAt }: { expiresAt: string | null }) {
  const { t } = useTranslation('sharedZones');
  const expiry = getExpiry(expiresAt, useNow());
  const text = expiry.kind === 'days' ? t('expiry.days', { count: expiry.days }) : t(`expiry.${expiry.kind}`);
  return <Badge tone={getExpiryTone(expiry)}>{text}</Badge>;
}

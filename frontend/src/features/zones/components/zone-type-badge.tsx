import LockRounded from '@mui/icons-material/LockRounded';
import PublicRounded from '@mui/icons-material/PublicRounded';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../shared/ui/badge';
import type { Zone } from '../sort-zones';

export function ZoneTypeBadge({ type }: { type: Zone['type'] }) {
  const { t } = useTranslation('zones');
  return <Badge icon={type === 'public' ? <PublicRounded /> : <LockRounded />}>{t(`types.${type}`)}</Badge>;
}

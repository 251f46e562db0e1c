import StarBorderRounded from '@mui/icons-material/StarBorderRounded';
import StarRounded from '@mui/icons-material/StarRounded';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../shared/toast/toast-store';
import { useToggleFavorite } from '../api/use-zone-mutations';
import type { Zone } from '../sort-zones';

/** Adds a zone to the favourites, which are listed first, or removes it. */
export function FavoriteStar({ zone }: { zone: Zone }) {
  const { t } = useTranslation('zones');
  const toggle = useToggleFavorite(zone, () => toast.error(t('favoriteFailed')));
  return (
    <IconButton
      aria-pressed={zone.isFavorite}
      aria-label={t('favorite', { name: zone.name })}
      onClick={() => toggle.mutate()}
      sx={{ position: 'relative', zIndex: 1 }}
    >
      {zone.isFavorite ? <StarRounded sx={{ color: 'warning.main' }} /> : <StarBorderRounded />}
    </IconButton>
  );
}

import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StretchedLink } from '../../../shared/browse/stretched-link';
import { useFormat } from '../../../shared/hooks/use-format';
import type { Zone } from '../sort-zones';
import { FavoriteStar } from './favorite-star';
import { useZoneCounts } from './use-zone-counts';
import { ZoneMenu, type EditedField } from './zone-menu';
import { ZoneTypeBadge } from './zone-type-badge';

interface Props {
  zone: Zone;
  onEdit: (zone: Zone, field: EditedField) => void;
}

/** A zone in the grid. */
export function ZoneCard({ zone, onEdit }: Props) {
  const { t } = useTranslation('zones');
  const format = useFormat();
  const counts = useZoneCounts(zone);
  return (
    <Card
      component="article"
      sx={{
        position: 'relative',
        display: 'flex',
        flexDirection: 'column',
        gap: 1,
        height: '100%',
        minHeight: 152,
        p: 4,
        transition: (theme) => theme.transitions.create('border-color'),
        '&:hover': { borderColor: 'outline' },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
        <Typography variant="h3" component="h2" sx={{ flex: 1, minWidth: 0 }}>
          <StretchedLink to={`/zones/${zone.id}`}>{zone.name}</StretchedLink>
        </Typography>
        <Box sx={{ flex: 'none', display: 'flex', mt: -2, mr: -2 }}>
          <FavoriteStar zone={zone} />
          <ZoneMenu zone={zone} onEdit={onEdit} />
        </Box>
      </Box>
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
      <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
        {counts.join(' · ')}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 2 }}>
        <Typography variant="body2" color="textSecondary">
          {t('updated', { date: format.date(zone.updatedAt) })}
        </Typography>
        <ZoneTypeBadge type={zone.type} />
      </Box>
    </Card>
  );
}

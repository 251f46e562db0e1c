import StarRounded from '@mui/icons-material/StarRounded';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StretchedLink } from '../../../shared/browse/stretched-link';
import { useFormat } from '../../../shared/hooks/use-format';
import type { Zone } from '../sort-zones';
import { useZoneFacts } from './zone-facts';
import { ZoneTypeBadge } from './zone-type-badge';

/** A zone in the grid. */
export function ZoneCard({ zone }: { zone: Zone }) {
  const { t } = useTranslation('zones');
  const format = useFormat();
  const facts = useZoneFacts(zone);
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
        {zone.isFavorite && <StarRounded titleAccess={t('favorite')} sx={{ color: 'text.secondary' }} />}
        <ZoneTypeBadge type={zone.type} />
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
        {facts.join(' · ')}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {t('updated', { date: format.date(zone.updatedAt) })}
      </Typography>
    </Card>
  );
}

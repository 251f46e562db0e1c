import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { parseId, useZone } from '../../shared/api/use-zone';
import { PublicLinkCard } from './components/public-link-card';
import { TemporaryLinksCard } from './components/temporary-links-card';
import { ZoneItemLinksCard } from './item-links/zone-item-links-card';

/**
 * The links of the zone in the URL: the permanent link of a public zone, or the temporary links of a private zone, and the
 * links to its files and folders.
 */
export function LinksPanel() {
  const { t } = useTranslation('links');
  const { data: zone } = useZone(parseId(useParams().zoneId));
  if (!zone) return null;
  return (
    <>
      {zone.publicLink ? (
        <PublicLinkCard zone={zone} publicLink={zone.publicLink} />
      ) : (
        <TemporaryLinksCard zoneId={zone.id} zoneName={zone.name} />
      )}
      <ZoneItemLinksCard zoneId={zone.id} />
      <Typography variant="body2" color="textSecondary">
        <strong>{t('note.title')}</strong>
        {' · '}
        {t('note.text')}
      </Typography>
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../shared/ui/section-card';
import { useZoneItemLinks } from '../api/use-item-links';
import { ItemLinkList } from './item-link-list';

/** The links to all files and folders of a zone. They are created in the list of files. */
export function ZoneItemLinksCard({ zoneId }: { zoneId: number }) {
  const { t } = useTranslation('links');
  const list = useZoneItemLinks(zoneId);
  return (
    <SectionCard title={t('item.zoneTitle')} text={t('item.zoneText')}>
      <ItemLinkList {...list} label={t('item.zoneTitle')} emptyText={t('item.zoneEmpty')} showsItem />
    </SectionCard>
  );
}

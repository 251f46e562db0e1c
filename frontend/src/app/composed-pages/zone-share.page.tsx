import { LinksPanel } from '../../features/links/links-panel';
import { MirrorPanel } from '../../features/mirrors/mirror-panel';
import { ZoneSharePage } from '../../features/zones/zone-share.page';

export { ItemLinksDrawer } from '../../features/links/item-links/item-links-drawer';

export function ComposedZoneSharePage() {
  return <ZoneSharePage links={<LinksPanel />} mirrors={<MirrorPanel />} />;
}

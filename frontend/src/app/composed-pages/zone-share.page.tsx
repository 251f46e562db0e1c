import { LinksPanel } from '../../features/links/links-panel';
import { MirrorPanel } from '../../features/mirrors/mirror-panel';
import { ZoneSharePage } from '../../features/zones/zone-share.page';

export function ComposedZoneSharePage() {
  return <ZoneSharePage links={<LinksPanel />} mirrors={<MirrorPanel />} />;
}

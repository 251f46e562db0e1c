import { FilesPage } from '../../features/files/files.page';
import { lazyComponent } from '../../shared/ui/lazy-component';

/** In the chunk of the Share tab: in one of its own, their common code would move to the chunk that all pages load. */
const ItemLinksDrawer = lazyComponent(() => import('./zone-share.page').then((m) => m.ItemLinksDrawer));

/** @param onLoaded called once the list has loaded */
export function ComposedFilesPage({ onLoaded }: { onLoaded?: () => void }) {
  return <FilesPage onLoaded={onLoaded} renderLinks={(props) => <ItemLinksDrawer {...props} />} />;
}

import { useEffect } from 'react';
import { getDownload } from './download';
import { useRefusedDownload } from './use-refused-download';

/** The button of the mouse that opens a link in another tab. */
const middle = 1;

/**
 * Follows the links of the page that download (`<a download>` to the API). A browser by itself would save a refusal, to
 * somebody whose session has ended for one, as the file, or show it in a tab of its own: there is nothing to be opened, so
 * a click that asks for another tab downloads as well.
 */
export function DownloadLinks() {
  const onRefused = useRefusedDownload();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const isMeant = event.button === 0 || event.button === middle;
      const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[download]');
      if (!link || !isMeant || event.defaultPrevented) return;
      const { origin, pathname, search } = new URL(link.href);
      if (origin !== location.origin || !pathname.startsWith('/api/')) return;
      event.preventDefault();
      getDownload(pathname + search, onRefused);
    };
    const kinds = ['click', 'auxclick'] as const;
    kinds.forEach((kind) => document.addEventListener(kind, follow));
    return () => kinds.forEach((kind) => document.removeEventListener(kind, follow));
  }, [onRefused]);
  return null;
}

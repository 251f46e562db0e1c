import { useEffect } from 'react';
import { getDownload } from '../../shared/files/download';
import { useRefusedDownload } from '../../shared/files/use-refused-download';

/**
 * Follows the links of the page that download (`<a download>` to the API). A browser by itself would save a refusal, to
 * somebody whose session has ended for one, as the file.
 */
export function DownloadLinks() {
  const onRefused = useRefusedDownload();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
      const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[download]');
      if (!link || !isPlain || event.defaultPrevented) return;
      const { origin, pathname, search } = new URL(link.href);
      if (origin !== location.origin || !pathname.startsWith('/api/')) return;
      event.preventDefault();
      getDownload(pathname + search, onRefused);
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [onRefused]);
  return null;
}

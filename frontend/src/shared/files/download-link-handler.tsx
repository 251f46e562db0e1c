import { useEffect } from 'react';
import { startDownload } from './download';
import { useHandleDownloadError } from './use-handle-download-error';

/** Middle mouse button, which opens links in a new tab. */
const MIDDLE_BUTTON = 1;

/**
 * Handles the page's download links (`<a download>` to the API). By default a browser would save an error response,
 * such as 401, as the file, or show it in a new tab. Clicks that ask for a new tab download as well, since there is
 * nothing to open.
 */
export function DownloadLinkHandler() {
  const handleError = useHandleDownloadError();
  useEffect(() => {
    const handleClick = (event: MouseEvent) => {
      const isLeftOrMiddle = event.button === 0 || event.button === MIDDLE_BUTTON;
      const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[download]');
      if (!link || !isLeftOrMiddle || event.defaultPrevented) return;
      const { origin, pathname, search } = new URL(link.href);
      if (origin !== location.origin || !pathname.startsWith('/api/')) return;
      event.preventDefault();
      startDownload(pathname + search, handleError);
    };
    const eventTypes = ['click', 'auxclick'] as const;
    eventTypes.forEach((eventType) => document.addEventListener(eventType, handleClick));
    return () => eventTypes.forEach((eventType) => document.removeEventListener(eventType, handleClick));
  }, [handleError]);
  return null;
}

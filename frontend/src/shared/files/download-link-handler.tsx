import { useEffect } from 'react';
import { startDownload } from './download';
import { useHandleDownloadError } from './use-handle-download-error';

/** The button of the mouse that opens a link in another tab. */
const MIDDLE_BUTTON = 1;

/**
 * Follows the links of the page that download (`<a download>` to the API). A browser by itself would save a refusal, to
 * somebody whose session has ended for one, as the file, or show it in a tab of its own: there is nothing to be opened, so
 * a click that asks for another tab downloads as well.
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

import type { ReactElement } from 'react';

/** `handle` of a route that shows a page. */
export interface PageHandle {
  /** Loads the page's code. */
  readonly preload: () => Promise<unknown>;
  /**
   * The page's first API requests, exactly as it sends them, sent in parallel with its code. `:zoneId` is replaced by
   * that segment of the page's URL. A missing request makes the page slower, an extra one costs one unused request.
   * Requests that not every user of the page may send are left out.
   */
  readonly requests: readonly string[];
  /** Replace `requests` if this browser remembers that `/` was the member home (`zonary.reads`). */
  readonly memberHomeRequests?: readonly string[];
  /** Shown without sidebar and top bar. Uploads and other background work of the layout continue. */
  readonly isBare?: boolean;
}

export interface PageRoute {
  readonly element: ReactElement;
  readonly handle: PageHandle;
}

/**
 * The properties of a route whose page is loaded before it is rendered: by the HTML document, by links, and by
 * navigation. The build reads the calls from the router's source (`vite/page-routes.ts`).
 * @param element a `lazyPage()`
 */
export function page(
  element: ReactElement,
  requests: readonly string[] = [],
  options: Pick<PageHandle, 'memberHomeRequests' | 'isBare'> = {},
): PageRoute {
  const { preload } = element.type as unknown as Pick<PageHandle, 'preload'>;
  return { element, handle: { preload, requests, ...options } };
}

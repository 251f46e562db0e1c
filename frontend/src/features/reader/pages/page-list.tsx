import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import { useZoomGestures } from '../controls/use-zoom-gestures';
import type { ReaderView } from '../controls/use-reader-view';
import type { ReaderFile } from '../source/reader-source';
import { copySelectedText } from '../text/copy-selected-text';
import { DocumentPage } from './document-page';
import { isDataSaverOn } from './data-saver';
import { PAGES_PER_SIDE, pagesAround, choosePageImageWidth, rotateSizes, type PageLayout } from './page-layout';
import { useScrollPosition } from './use-scroll-position';

/** Pages scrolled past within this many milliseconds aren't loaded and don't update the URL. */
const SCROLL_DEBOUNCE = 120;
/** Milliseconds after which a displayed page counts as being read. */
const DWELL_TIME = 1000;
/** Milliseconds to wait for a zoom to end before wider images are requested. */
const ZOOM_DEBOUNCE = 200;

export interface PageListProps {
  file: ReaderFile;
  sizes: readonly Schema<'PageSizeDto'>[];
  /** The page to start with. */
  initialPage: number;
  /** Called with the current page. */
  onPageChange: (page: number) => void;
  view: ReaderView;
}

interface Props extends PageListProps {
  /** The only page shown, in single-page mode. */
  singlePage?: number;
  /** Navigates to a page outside the list. */
  onGoToPage?: (page: number) => void;
}

/** The pages of a document in a column; long documents render only the pages around the current one. */
export function PageList({ file, sizes, initialPage, onPageChange, view, singlePage, onGoToPage }: Props) {
  const { t } = useTranslation('reader');
  const { zoom, rotation } = view;
  const visibleSizes = useMemo(() => {
    const rotatedSizes = rotateSizes(sizes, rotation);
    return singlePage === undefined ? rotatedSizes : rotatedSizes.slice(singlePage - 1, singlePage);
  }, [sizes, rotation, singlePage]);
  const pageOffset = singlePage === undefined ? 0 : singlePage - 1;
  const { area, setArea, setList, fitWidth, layout, page } = useScrollPosition({
    sizes: visibleSizes,
    initialPage,
    view,
    pageOffset,
    onGoToPage,
  });
  useZoomGestures(area, view);
  const debouncedPage = useDebounced(page, SCROLL_DEBOUNCE);
  const { pagesToLoad, markLoaded, areNearbyLoaded } = usePagesToLoad(debouncedPage, layout);
  const dwelledPage = useDwelledPage(page, areNearbyLoaded);
  useEffect(() => onPageChange(debouncedPage + pageOffset), [onPageChange, debouncedPage, pageOffset]);
  const imageWidthOf = usePageImageWidth(fitWidth, layout, view, dwelledPage);
  const { followLink, focusLinkTarget } = useLinkNavigation(view);
  const label = t('pages', { name: file.originalName });
  return (
    <div
      ref={setArea}
      className="z-reader-area"
      // Some browsers scroll horizontally with arrow keys only in a focused element.
      {...(zoom > 1 && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      <div className="z-reader-fit" />
      <ol
        ref={setList}
        className="z-reader-pages"
        aria-label={label}
        onCopy={copySelectedText}
        style={{ height: layout.totalHeight, width: layout.width }}
      >
        {layout.width > 0 &&
          pagesAround(page, visibleSizes.length).map((number) => (
            <li
              key={number + pageOffset}
              ref={(element) => focusLinkTarget(element, number + pageOffset)}
              tabIndex={-1}
              className="z-reader-page"
              aria-setsize={sizes.length}
              aria-posinset={number + pageOffset}
              style={{ top: layout.tops[number - 1], height: layout.heights[number - 1] }}
            >
              <DocumentPage
                file={file}
                page={number + pageOffset}
                size={sizes[number + pageOffset - 1]!}
                width={imageWidthOf(number)}
                rotation={rotation}
                slotSize={{ width: layout.width, height: layout.heights[number - 1] ?? 0 }}
                isNearViewport={pagesToLoad.has(number)}
                onLoadEnd={() => markLoaded(number)}
                onGoToPage={followLink}
              />
            </li>
          ))}
      </ol>
    </div>
  );
}

/**
 * Returns the pages whose images load: first the current page, then its neighbours and all pages that can be in the
 * viewport with it, such as slides. The neighbours would otherwise compete with it for bandwidth.
 */
function usePagesToLoad(page: number, { tops }: PageLayout) {
  const [loadedPages, setLoadedPages] = useState<ReadonlySet<number>>(new Set());
  const markLoaded = (number: number) => setLoadedPages((previous) => new Set(previous).add(number));
  const isInViewport = (number: number) => Math.abs(tops[number - 1]! - tops[page - 1]!) < window.innerHeight;
  const nearbyPages = pagesAround(page, tops.length).filter(
    (number) => Math.abs(number - page) < PAGES_PER_SIDE || isInViewport(number),
  );
  const isCurrentLoaded = loadedPages.has(page);
  const pagesToLoad = new Set(
    nearbyPages.filter((number) => isCurrentLoaded || number === page || loadedPages.has(number)),
  );
  return { pagesToLoad, markLoaded, areNearbyLoaded: nearbyPages.every((number) => loadedPages.has(number)) };
}

/** Returns the page being read, once it and its neighbours are loaded; undefined while data is being saved. */
function useDwelledPage(page: number, areNearbyLoaded: boolean): number | undefined {
  const candidate = useDebounced(page, DWELL_TIME);
  return candidate === page && areNearbyLoaded && !isDataSaverOn() ? page : undefined;
}

/** Returns the image width a page needs, once zooming has ended. */
function usePageImageWidth(
  fitWidth: number,
  layout: PageLayout,
  { zoom, rotation }: ReaderView,
  dwelledPage: number | undefined,
) {
  const debouncedZoom = useDebounced(zoom, ZOOM_DEBOUNCE);
  return (number: number) => {
    const imageWidth = rotation % 2 === 0 ? layout.width : (layout.heights[number - 1] ?? 0);
    const isSharp = debouncedZoom > 1 || number === dwelledPage;
    return choosePageImageWidth(fitWidth, (imageWidth / zoom) * debouncedZoom, isSharp, window.devicePixelRatio);
  };
}

/** Moves focus to the target page of an internal link, also if it is rendered only after scrolling. */
function useLinkNavigation({ pagesRef, focusPageRef: targetPageRef }: ReaderView) {
  const followLink = useCallback(
    (page: number) => {
      targetPageRef.current = page;
      pagesRef.current?.goToPage(page);
    },
    [pagesRef, targetPageRef],
  );
  const focusLinkTarget = (element: HTMLElement | null, page: number) => {
    if (!element || targetPageRef.current !== page) return;
    targetPageRef.current = null;
    element.focus({ preventScroll: true });
  };
  return { followLink, focusLinkTarget };
}

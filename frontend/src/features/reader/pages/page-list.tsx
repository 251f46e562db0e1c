import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import { useZoomGestures } from '../controls/use-zoom-gestures';
import type { ReaderView } from '../controls/use-reader-view';
import { copySelectedText } from '../text/copy-selected-text';
import { DocumentPage } from './document-page';
import { isDataSaverOn } from './data-saver';
import { PAGES_PER_SIDE, pagesAround, choosePageImageWidth, rotateSizes, type PageLayout } from './page-layout';
import { useScrollPosition } from './use-scroll-position';

/** Pages passed faster than this, in milliseconds, are not fetched, and stand in no address. */
const SCROLL_DEBOUNCE = 120;
/** A page looked at for so long, in milliseconds, is read. */
const DWELL_TIME = 1000;
/** Of a zoom that is still going on no wider pictures are asked for. */
const ZOOM_DEBOUNCE = 200;

export interface PageListProps {
  file: Schema<'FileDto'>;
  sizes: readonly Schema<'PageSizeDto'>[];
  /** The page with which one begins. */
  initialPage: number;
  /** Told which page is read. */
  onPageChange: (page: number) => void;
  view: ReaderView;
}

interface Props extends PageListProps {
  /** The one page that is shown, of a document that is read page by page. */
  singlePage?: number;
  /** Leads to a page that is not in the list. */
  onGoToPage?: (page: number) => void;
}

/** The pages of a document below one another; of many only those around the one that is read are there. */
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
      // What is wider than the window is moved by the arrows, which needs the focus in some browsers.
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
                isNear={pagesToLoad.has(number)}
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
 * The pages whose pictures are fetched: the one that is read, and after it those beside it, which share its line else, and
 * all that can be in the window with it, as slides are.
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

/** The page that is read and not only passed, once it is there with those beside it; none on a line that is to be spared. */
function useDwelledPage(page: number, areNearbyLoaded: boolean): number | undefined {
  const candidate = useDebounced(page, DWELL_TIME);
  return candidate === page && areNearbyLoaded && !isDataSaverOn() ? page : undefined;
}

/** How wide the picture of a page has to be, once a zoom has come to rest. */
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

/** A link within the document takes the focus along to its page, also when that is not there before one has come to it. */
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

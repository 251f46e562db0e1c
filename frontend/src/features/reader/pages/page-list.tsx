import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import { useZoomGestures } from '../controls/use-zoom-gestures';
import type { View } from '../controls/use-view';
import { copyText } from '../text/copy';
import { DocumentPage } from './document-page';
import { isLineSpared } from './line';
import { aside, pagesAround, pictureWidth, turned, type PageLayout } from './page-layout';
import { useReadingPlace } from './use-reading-place';

/** Pages passed faster than this, in milliseconds, are not fetched, and stand in no address. */
const passing = 120;
/** A page looked at for so long, in milliseconds, is read. */
const resting = 1000;
/** Of a zoom that is still going on no wider pictures are asked for. */
const zooming = 200;

export interface PageListProps {
  file: Schema<'FileDto'>;
  sizes: readonly Schema<'PageSizeDto'>[];
  /** The page with which one begins. */
  first: number;
  /** Told which page is read. */
  onPage: (page: number) => void;
  view: View;
}

interface Props extends PageListProps {
  /** The one page that is shown, of a document that is read page by page. */
  only?: number;
  /** Leads to a page that is not in the list. */
  onGo?: (page: number) => void;
}

/** The pages of a document below one another; of many only those around the one that is read are there. */
export function PageList({ file, sizes, first, onPage, view, only, onGo }: Props) {
  const { t } = useTranslation('reader');
  const { zoom, turn } = view;
  const listed = useMemo(() => {
    const all = turned(sizes, turn);
    return only === undefined ? all : all.slice(only - 1, only);
  }, [sizes, turn, only]);
  const before = only === undefined ? 0 : only - 1;
  const { area, setArea, setBox, fit, layout, page } = useReadingPlace({ sizes: listed, first, view, onGo });
  useZoomGestures(area, view);
  const settled = useDebounced(page, passing);
  const { fetched, settle, isAllThere } = useFetched(settled, layout);
  const rested = useRested(page, isAllThere);
  useEffect(() => onPage(settled + before), [onPage, settled, before]);
  const widthOf = usePictureWidth(fit, layout, view, rested);
  const { follow, land } = useFollowed(view);
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
        ref={setBox}
        className="z-reader-pages"
        aria-label={label}
        onCopy={copyText}
        style={{ height: layout.total, width: layout.width }}
      >
        {layout.width > 0 &&
          pagesAround(page, listed.length).map((number) => (
            <li
              key={number + before}
              ref={(shown) => land(shown, number + before)}
              tabIndex={-1}
              className="z-reader-page"
              aria-setsize={sizes.length}
              aria-posinset={number + before}
              style={{ top: layout.tops[number - 1], height: layout.heights[number - 1] }}
            >
              <DocumentPage
                file={file}
                page={number + before}
                size={sizes[number + before - 1]!}
                width={widthOf(number)}
                turn={turn}
                box={{ width: layout.width, height: layout.heights[number - 1] ?? 0 }}
                isNear={fetched.has(number)}
                onSettled={() => settle(number)}
                onGo={follow}
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
function useFetched(page: number, { tops }: PageLayout) {
  const [come, setCome] = useState<ReadonlySet<number>>(new Set());
  const settle = (number: number) => setCome((before) => new Set(before).add(number));
  const isInWindow = (number: number) => Math.abs(tops[number - 1]! - tops[page - 1]!) < window.innerHeight;
  const around = pagesAround(page, tops.length).filter(
    (number) => Math.abs(number - page) < aside || isInWindow(number),
  );
  const isThere = come.has(page);
  const fetched = new Set(around.filter((number) => isThere || number === page || come.has(number)));
  return { fetched, settle, isAllThere: around.every((number) => come.has(number)) };
}

/** The page that is read and not only passed, once it is there with those beside it; none on a line that is to be spared. */
function useRested(page: number, isAllThere: boolean): number | undefined {
  const rested = useDebounced(page, resting);
  return rested === page && isAllThere && !isLineSpared() ? page : undefined;
}

/** How wide the picture of a page has to be, once a zoom has come to rest. */
function usePictureWidth(fit: number, layout: PageLayout, { zoom, turn }: View, rested: number | undefined) {
  const settled = useDebounced(zoom, zooming);
  return (number: number) => {
    const across = turn % 2 === 0 ? layout.width : (layout.heights[number - 1] ?? 0);
    const isSharp = settled > 1 || number === rested;
    return pictureWidth(fit, (across / zoom) * settled, isSharp, window.devicePixelRatio);
  };
}

/** A link within the document takes the focus along to its page, also when that is not there before one has come to it. */
function useFollowed({ pages, landing: landingRef }: View) {
  const follow = useCallback(
    (page: number) => {
      landingRef.current = page;
      pages.current?.go(page);
    },
    [pages, landingRef],
  );
  const land = (shown: HTMLElement | null, page: number) => {
    if (!shown || landingRef.current !== page) return;
    landingRef.current = null;
    shown.focus({ preventScroll: true });
  };
  return { follow, land };
}

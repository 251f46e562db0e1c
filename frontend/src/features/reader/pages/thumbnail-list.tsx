import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import { useReaderSource } from '../source/use-reader-source';
import { computePageLayout, positionAt, type PageLayout } from './page-layout';
import { useRetryWhenOnline } from './use-retry-when-online';

/** Width of thumbnails with their padding, in pixels. */
const THUMBNAIL_WIDTH = 120;
/** Thumbnails scrolled past within this many milliseconds aren't loaded. */
const SCROLL_DEBOUNCE = 120;
/** Milliseconds before each retry of a failed thumbnail. */
const RETRY_DELAYS = [2000, 5000, 15_000, 60_000];

interface Props {
  fileId: number;
  sizes: readonly Schema<'PageSizeDto'>[];
  currentPage: number;
  onGoToPage: (page: number) => void;
}

/** Page thumbnails in the sidebar, to find a page by its looks; only visible ones are rendered. */
export function ThumbnailList({ fileId, sizes, currentPage, onGoToPage }: Props) {
  const { t } = useTranslation('reader');
  const navRef = useRef<HTMLElement>(null);
  const layout = useMemo(() => computePageLayout(sizes, THUMBNAIL_WIDTH, 24), [sizes]);
  const { visibleRange, updateViewport } = useVisibleRange(navRef, layout);
  const rangeToLoad = useDebounced(visibleRange, SCROLL_DEBOUNCE);
  useScrollCurrentIntoView(navRef, layout, currentPage);
  return (
    <nav ref={navRef} className="z-reader-strip" aria-label={t('strip')} onScroll={updateViewport}>
      <div style={{ height: layout.totalHeight }}>
        {Array.from(
          { length: visibleRange.last - visibleRange.first + 1 },
          (_, index) => visibleRange.first + index,
        ).map((number) => (
          <button
            key={number}
            type="button"
            style={{ top: layout.tops[number - 1], height: layout.heights[number - 1], width: THUMBNAIL_WIDTH }}
            aria-label={t('goTo', { page: number })}
            aria-current={number === currentPage ? 'page' : undefined}
            onClick={() => onGoToPage(number)}
          >
            {number >= rangeToLoad.first && number <= rangeToLoad.last && <Thumbnail fileId={fileId} number={number} />}
            <span aria-hidden>{number}</span>
          </button>
        ))}
      </div>
    </nav>
  );
}

/** Retries a thumbnail that can't be rendered now, while it is visible; shows its number until then. */
function Thumbnail({ fileId, number }: { fileId: number; number: number }) {
  const { thumbnailUrl } = useReaderSource();
  const [failures, setFailures] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const delay = RETRY_DELAYS[failures - 1];
  useEffect(() => {
    if (failures === attempt || delay === undefined) return undefined;
    const timer = setTimeout(() => setAttempt(failures), delay);
    return () => clearTimeout(timer);
  }, [failures, attempt, delay]);
  useRetryWhenOnline(() => setAttempt(failures));
  return (
    failures === attempt && (
      <img
        key={attempt}
        src={thumbnailUrl(fileId, number)}
        alt=""
        decoding="async"
        onError={() => setFailures(attempt + 1)}
      />
    )
  );
}

/** Returns the range of visible pages, plus one before and after that can be reached with Tab. */
function useVisibleRange(navRef: React.RefObject<HTMLElement | null>, layout: PageLayout) {
  const [viewport, setViewport] = useState({ top: 0, height: 0 });
  const updateViewport = () => {
    if (navRef.current) setViewport({ top: navRef.current.scrollTop, height: navRef.current.clientHeight });
  };
  useLayoutEffect(() => {
    const nav = navRef.current;
    if (!nav) return undefined;
    const measure = () => setViewport({ top: nav.scrollTop, height: nav.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(nav);
    return () => observer.disconnect();
  }, [navRef]);
  const first = Math.max(1, positionAt(layout, viewport.top).page - 1);
  const last = Math.min(layout.tops.length, positionAt(layout, viewport.top + viewport.height).page + 1);
  const visibleRange = useMemo(() => ({ first, last }), [first, last]);
  return { visibleRange, updateViewport };
}

/** Scrolls the list to the current page unless it is already visible. */
function useScrollCurrentIntoView(
  navRef: React.RefObject<HTMLElement | null>,
  layout: PageLayout,
  currentPage: number,
) {
  useEffect(() => {
    const nav = navRef.current;
    if (!nav) return;
    const top = layout.tops[currentPage - 1] ?? 0;
    const bottom = top + (layout.heights[currentPage - 1] ?? 0);
    if (top >= nav.scrollTop && bottom <= nav.scrollTop + nav.clientHeight) return;
    nav.scrollTo({ top: top - nav.clientHeight / 3, behavior: 'instant' });
  }, [navRef, layout, currentPage]);
}

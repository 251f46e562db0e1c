import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import { computePageLayout, positionAt, type PageLayout } from './page-layout';
import { useRetryWhenOnline } from './use-retry-when-online';

/** How wide the small pages are, in pixels, with what is left and right of them. */
const THUMBNAIL_WIDTH = 120;
/** Small pages passed faster than this, in milliseconds, are not fetched. */
const SCROLL_DEBOUNCE = 120;
/** Before each try again of one that did not come, in milliseconds. */
const RETRY_DELAYS = [2000, 5000, 15_000, 60_000];

interface Props {
  fileId: number;
  sizes: readonly Schema<'PageSizeDto'>[];
  /** The page that is read. */
  currentPage: number;
  onGoToPage: (page: number) => void;
}

/** The pages small beside what is read, to find one by its looks; only those in view are there. */
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

/** A page that cannot be drawn now is asked for again while it is in view; its number stands there meanwhile. */
function Thumbnail({ fileId, number }: { fileId: number; number: number }) {
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
        src={`/api/files/${fileId}/pages/${number}?width=600&strip`}
        alt=""
        decoding="async"
        onError={() => setFailures(attempt + 1)}
      />
    )
  );
}

/** The pages in view, and one above and below that can be reached by Tab. */
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

/** The strip goes along with what is read, unless that is in view already. */
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

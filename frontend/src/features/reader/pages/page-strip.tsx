import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import { layoutOf, placeAt, type PageLayout } from './page-layout';
import { useOnline } from './use-online';

/** How wide the small pages are, in pixels, with what is left and right of them. */
const wide = 120;
/** Small pages passed faster than this, in milliseconds, are not fetched. */
const passing = 120;
/** Before each try again of one that did not come, in milliseconds. */
const pauses = [2000, 5000, 15_000, 60_000];

interface Props {
  fileId: number;
  sizes: readonly Schema<'PageSizeDto'>[];
  /** The page that is read. */
  page: number;
  onGo: (page: number) => void;
}

/** The pages small beside what is read, to find one by its looks; only those in view are there. */
export function PageStrip({ fileId, sizes, page, onGo }: Props) {
  const { t } = useTranslation('reader');
  const box = useRef<HTMLElement>(null);
  const layout = useMemo(() => layoutOf(sizes, wide, 24), [sizes]);
  const { shown, follow } = useShown(box, layout);
  const fetched = useDebounced(shown, passing);
  useKeptInView(box, layout, page);
  return (
    <nav ref={box} className="z-reader-strip" aria-label={t('strip')} onScroll={follow}>
      <div style={{ height: layout.total }}>
        {Array.from({ length: shown.last - shown.first + 1 }, (_, at) => shown.first + at).map((number) => (
          <button
            key={number}
            type="button"
            style={{ top: layout.tops[number - 1], height: layout.heights[number - 1], width: wide }}
            aria-label={t('goTo', { page: number })}
            aria-current={number === page ? 'page' : undefined}
            onClick={() => onGo(number)}
          >
            {number >= fetched.first && number <= fetched.last && <SmallPage fileId={fileId} number={number} />}
            <span aria-hidden>{number}</span>
          </button>
        ))}
      </div>
    </nav>
  );
}

/** A page that cannot be drawn now is asked for again while it is in view; its number stands there meanwhile. */
function SmallPage({ fileId, number }: { fileId: number; number: number }) {
  const [failures, setFailures] = useState(0);
  const [tries, setTries] = useState(0);
  const pause = pauses[failures - 1];
  useEffect(() => {
    if (failures === tries || pause === undefined) return undefined;
    const timer = setTimeout(() => setTries(failures), pause);
    return () => clearTimeout(timer);
  }, [failures, tries, pause]);
  useOnline(() => setTries(failures));
  return (
    failures === tries && (
      <img
        key={tries}
        src={`/api/files/${fileId}/pages/${number}?width=600&strip`}
        alt=""
        decoding="async"
        onError={() => setFailures(tries + 1)}
      />
    )
  );
}

/** The pages in view, and one above and below that can be reached by Tab. */
function useShown(box: React.RefObject<HTMLElement | null>, layout: PageLayout) {
  const [view, setView] = useState({ top: 0, height: 0 });
  const follow = () => {
    if (box.current) setView({ top: box.current.scrollTop, height: box.current.clientHeight });
  };
  useLayoutEffect(() => {
    const watched = box.current;
    if (!watched) return undefined;
    const measure = () => setView({ top: watched.scrollTop, height: watched.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    return () => observer.disconnect();
  }, [box]);
  const first = Math.max(1, placeAt(layout, view.top).page - 1);
  const last = Math.min(layout.tops.length, placeAt(layout, view.top + view.height).page + 1);
  const shown = useMemo(() => ({ first, last }), [first, last]);
  return { shown, follow };
}

/** The strip goes along with what is read, unless that is in view already. */
function useKeptInView(box: React.RefObject<HTMLElement | null>, layout: PageLayout, page: number) {
  useEffect(() => {
    const strip = box.current;
    if (!strip) return;
    const top = layout.tops[page - 1] ?? 0;
    const bottom = top + (layout.heights[page - 1] ?? 0);
    if (top >= strip.scrollTop && bottom <= strip.scrollTop + strip.clientHeight) return;
    strip.scrollTo({ top: top - strip.clientHeight / 3, behavior: 'instant' });
  }, [box, layout, page]);
}

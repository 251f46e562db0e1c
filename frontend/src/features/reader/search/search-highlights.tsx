import { use, useEffect, useMemo, useRef } from 'react';
import { wordsInRange, type Word } from '../text/page-words';
import { rectStyle } from '../text/text-lines';
import { SearchResultsContext, type SearchResults } from './search-results';

/** Highlights the hits on a page, on top of its image. */
export function SearchHighlights({ page, words }: { page: number; words: readonly Word[] }) {
  const results = use(SearchResultsContext);
  const hits = results?.hits;
  const pageHits = useMemo(
    () =>
      (hits ?? []).flatMap((hit, index) =>
        hit.page === page ? [{ at: index, words: wordsInRange(words, hit.from, hit.length) }] : [],
      ),
    [hits, page, words],
  );
  if (!results) return null;
  return pageHits.map((pageHit) => (
    <HitHighlight
      key={pageHit.at}
      words={pageHit.words}
      results={results}
      isCurrent={pageHit.at === results.currentIndex}
    />
  ));
}

function HitHighlight({
  words,
  results,
  isCurrent,
}: {
  words: readonly Word[];
  results: SearchResults;
  isCurrent: boolean;
}) {
  const firstBoxRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent && firstBoxRef.current) results.show(firstBoxRef.current);
  }, [isCurrent, results]);
  return words.map(([, x, y, w, h], index) => (
    <div
      key={index}
      ref={index === 0 ? firstBoxRef : undefined}
      aria-hidden
      className="z-reader-hit"
      data-current={isCurrent || undefined}
      style={rectStyle({ x, y, w, h })}
    />
  ));
}

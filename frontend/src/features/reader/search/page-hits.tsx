import { use, useEffect, useMemo, useRef } from 'react';
import { wordsAt, type Word } from '../text/page-words';
import { placed } from '../text/text-line';
import { FoundContext, type Found } from './found';

/** What was found on a page, marked over its picture. */
export function PageHits({ page, words }: { page: number; words: readonly Word[] }) {
  const found = use(FoundContext);
  const hits = found?.hits;
  const marked = useMemo(
    () =>
      (hits ?? []).flatMap((hit, at) =>
        hit.page === page ? [{ at, words: wordsAt(words, hit.from, hit.length) }] : [],
      ),
    [hits, page, words],
  );
  if (!found) return null;
  return marked.map((one) => <Mark key={one.at} words={one.words} found={found} isCurrent={one.at === found.at} />);
}

function Mark({ words, found, isCurrent }: { words: readonly Word[]; found: Found; isCurrent: boolean }) {
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent && first.current) found.show(first.current);
  }, [isCurrent, found]);
  return words.map(([, x, y, w, h], at) => (
    <div
      key={at}
      ref={at === 0 ? first : undefined}
      aria-hidden
      className="z-reader-hit"
      data-current={isCurrent || undefined}
      style={placed({ x, y, w, h })}
    />
  ));
}

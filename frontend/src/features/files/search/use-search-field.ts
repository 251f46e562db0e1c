import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '../../../shared/hooks/use-debounced';

const settleMs = 200;

/**
 * What is searched for in a zone, kept in the address (`?q=plan`). The field follows every letter, the address and
 * with it the search only once nothing more is typed.
 */
export function useSearchField() {
  const [query, setQuery] = useSearchParams();
  const q = query.get('q')?.trim() ?? '';
  const [text, setText] = useState(q);
  const settled = useDebounced(text, settleMs).trim();
  // The address was changed by a link or by going back, and not by what was typed: the field follows it.
  const [applied, setApplied] = useState(q);
  if (q !== applied) {
    setApplied(q);
    if (q !== settled) setText(q);
  }

  const search = useCallback(
    (next: string) => {
      setQuery(
        (before) => {
          if (next) before.set('q', next);
          else before.delete('q');
          before.delete('item');
          return before;
        },
        { replace: true, preventScrollReset: true },
      );
    },
    [setQuery],
  );
  useEffect(() => {
    // What is settled may be older than a change of the address.
    if (settled !== q && settled === text.trim()) search(settled);
  }, [settled, q, text, search]);

  const clear = () => {
    setText('');
    search('');
  };
  return { q, text, setText, clear };
}

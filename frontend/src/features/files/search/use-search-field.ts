import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '../../../shared/hooks/use-debounced';

const DEBOUNCE_MS = 200;

/**
 * What is searched for in a zone, kept in the address (`?q=plan`). The field follows every letter, the address and
 * with it the search only once nothing more is typed.
 */
export function useSearchField() {
  const [query, setQuery] = useSearchParams();
  const q = query.get('q')?.trim() ?? '';
  const [text, setText] = useState(q);
  const debouncedText = useDebounced(text, DEBOUNCE_MS).trim();
  // The address was changed by a link or by going back, and not by what was typed: the field follows it.
  const [appliedQuery, setAppliedQuery] = useState(q);
  if (q !== appliedQuery) {
    setAppliedQuery(q);
    if (q !== debouncedText) setText(q);
  }

  const applyQuery = useCallback(
    (next: string) => {
      setQuery(
        (params) => {
          if (next) params.set('q', next);
          else params.delete('q');
          params.delete('item');
          return params;
        },
        { replace: true, preventScrollReset: true },
      );
    },
    [setQuery],
  );
  useEffect(() => {
    // What is settled may be older than a change of the address.
    if (debouncedText !== q && debouncedText === text.trim()) applyQuery(debouncedText);
  }, [debouncedText, q, text, applyQuery]);

  const clear = () => {
    setText('');
    applyQuery('');
  };
  return { q, text, setText, clear };
}

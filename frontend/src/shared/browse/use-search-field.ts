import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '../hooks/use-debounced';

const DEBOUNCE_MS = 200;

/**
 * The search query of a list, kept in the URL (`?q=plan`). The field updates on every keystroke; the URL, and with it
 * the search, only once typing pauses.
 * @param selectedItem the parameter for the item that is selected in the results, which a new search removes
 */
export function useSearchField(selectedItem?: string) {
  const [query, setQuery] = useSearchParams();
  const q = query.get('q')?.trim() ?? '';
  const [text, setText] = useState(q);
  const debouncedText = useDebounced(text, DEBOUNCE_MS).trim();
  // The URL was changed by a link or by going back, not by typing: the field follows it.
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
          if (selectedItem) params.delete(selectedItem);
          return params;
        },
        { replace: true, preventScrollReset: true },
      );
    },
    [setQuery, selectedItem],
  );
  useEffect(() => {
    // The debounced text may be older than a change of the URL.
    if (debouncedText !== q && debouncedText === text.trim()) applyQuery(debouncedText);
  }, [debouncedText, q, text, applyQuery]);

  const clear = () => {
    setText('');
    applyQuery('');
  };
  return { q, text, setText, clear };
}

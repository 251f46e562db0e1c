import { createContext, use, useState, type ReactNode } from 'react';
import { useListContext } from 'react-admin';

type SearchText = readonly [text: string, setText: (text: string) => void];

const SearchTextContext = createContext<SearchText>(['', () => undefined]);

/** Holds the typed search of a list, which the list follows after a moment. Must be inside react-admin's `ListBase`. */
export function SearchTextProvider({ children }: { children: ReactNode }) {
  const { q = '' } = useListContext().filterValues as { q?: string };
  const [text, setText] = useState(q);
  const [appliedQuery, setAppliedQuery] = useState(q);
  // The search was changed from outside, for example by "clear filters" or the back button.
  if (q !== appliedQuery) {
    setAppliedQuery(q);
    if (q !== text.trim()) setText(q);
  }
  return <SearchTextContext value={[text, setText]}>{children}</SearchTextContext>;
}

export const useSearchText = () => use(SearchTextContext);

/** Returns the list's filters with the search as it is typed, even before the list follows. */
export function useTypedFilters(): Record<string, string> {
  const { q: _, ...filters } = useListContext().filterValues as Record<string, string>;
  const [text] = useSearchText();
  return text.trim() ? { ...filters, q: text.trim() } : filters;
}

import { useSearchParams } from 'react-router';

export const ranges = ['7', '30', '90', 'all'] as const;
export type Range = (typeof ranges)[number];

/** The selected time range, kept in the URL. */
export function useRange(): [Range, (range: Range) => void] {
  const [query, setQuery] = useSearchParams();
  const rangeFromUrl = query.get('range');
  const range = ranges.find((option) => option === rangeFromUrl) ?? '30';
  const setRange = (next: Range) =>
    setQuery(
      (before) => {
        before.set('range', next);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return [range, setRange];
}

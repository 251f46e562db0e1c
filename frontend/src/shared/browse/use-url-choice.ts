import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/**
 * One of a few choices for a list, kept in the URL, so that a link, a reload and going back show the list as it was.
 * Unknown values in the URL are ignored.
 * @param initial the choice without the parameter, which then isn't in the URL
 */
export function useUrlChoice<T extends string>(
  parameter: string,
  choices: readonly T[],
  initial: T,
): [T, (choice: T) => void] {
  const [query, setQuery] = useSearchParams();
  const choice = choices.find((option) => option === query.get(parameter)) ?? initial;
  const change = useCallback(
    (next: T) =>
      setQuery(
        (params) => {
          if (next === initial) params.delete(parameter);
          else params.set(parameter, next);
          return params;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setQuery, parameter, initial],
  );
  return [choice, change];
}

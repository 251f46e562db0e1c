import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { useStoredChoice } from '../hooks/use-stored-choice';

export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

export interface Sort<K extends string> {
  by: K;
  order: SortOrder;
}

/**
 * The sort order of the list `name`: from the URL (`?sort=name&order=asc`), else as last chosen in this browser. A choice
 * is kept in both.
 */
export function useSort<K extends string>(
  name: string,
  keys: readonly K[],
  initial: Sort<K>,
): [Sort<K>, (sort: Sort<K>) => void] {
  const [query, setQuery] = useSearchParams();
  const [storedKey, storeKey] = useStoredChoice(`${name}.sort`, keys, initial.by);
  const [storedOrder, storeOrder] = useStoredChoice(`${name}.order`, sortOrders, initial.order);
  const keyFromUrl = keys.find((key) => key === query.get('sort'));
  const orderFromUrl = sortOrders.find((order) => order === query.get('order'));
  const change = useCallback(
    ({ by, order }: Sort<K>) => {
      storeKey(by);
      storeOrder(order);
      setQuery(
        (params) => {
          params.set('sort', by);
          params.set('order', order);
          return params;
        },
        { replace: true, preventScrollReset: true },
      );
    },
    [storeKey, storeOrder, setQuery],
  );
  return [{ by: keyFromUrl ?? storedKey, order: orderFromUrl ?? storedOrder }, change];
}

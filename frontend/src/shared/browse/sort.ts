import { useCallback } from 'react';
import { useStoredChoice } from '../hooks/use-stored-choice';

export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

export interface Sort<K extends string> {
  by: K;
  order: SortOrder;
}

/** The sort order of the list `name`, remembered in this browser. */
export function useSort<K extends string>(
  name: string,
  keys: readonly K[],
  initial: Sort<K>,
): [Sort<K>, (sort: Sort<K>) => void] {
  const [by, setBy] = useStoredChoice(`${name}.sort`, keys, initial.by);
  const [order, setOrder] = useStoredChoice(`${name}.order`, sortOrders, initial.order);
  const change = useCallback(
    (sort: Sort<K>) => {
      setBy(sort.by);
      setOrder(sort.order);
    },
    [setBy, setOrder],
  );
  return [{ by, order }, change];
}

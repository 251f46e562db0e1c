import { useCallback } from 'react';
import { useStoredChoice } from '../hooks/use-stored-choice';

export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

export interface Sort<K extends string> {
  by: K;
  order: SortOrder;
}

/** What a list is sorted by, as this browser remembers it for the place `name`. */
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

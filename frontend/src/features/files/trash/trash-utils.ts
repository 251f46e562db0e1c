import type { TrashEntry } from './use-trash';

const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** Days until something goes by itself, to the nearest; 0 in its last hours. */
export function daysLeft(purgesAt: string, now: number): number {
  return Math.max(0, Math.round((Date.parse(purgesAt) - now) / MS_PER_DAY));
}

/** Bytes of all of it. */
export const totalSizeOf = (entries: readonly TrashEntry[]) => entries.reduce((sum, { size }) => sum + size, 0);

import type { TrashEntry } from './use-trash';

const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** Returns the number of days until automatic deletion, rounded to the nearest; 0 in the last hours. */
export function daysLeft(purgesAt: string, now: number): number {
  return Math.max(0, Math.round((Date.parse(purgesAt) - now) / MS_PER_DAY));
}

/** Total size in bytes. */
export const totalSizeOf = (entries: readonly TrashEntry[]) => entries.reduce((sum, { size }) => sum + size, 0);

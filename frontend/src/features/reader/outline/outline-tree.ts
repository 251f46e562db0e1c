import type { Schema } from '../../../shared/api/client';

type OutlineEntry = Schema<'OutlineEntryDto'>;

export interface Chapter extends OutlineEntry {
  /** Index in the outline, from 0. */
  readonly index: number;
  readonly children: readonly Chapter[];
}

/** Nests the outline; an entry that skips a level becomes a child of the previous one. */
export function buildOutlineTree(outline: readonly OutlineEntry[]): readonly Chapter[] {
  const roots: Chapter[] = [];
  const ancestors: { level: number; children: Chapter[] }[] = [{ level: 0, children: roots }];
  outline.forEach((entry, index) => {
    while (ancestors.length > 1 && ancestors.at(-1)!.level >= entry.level) ancestors.pop();
    const children: Chapter[] = [];
    ancestors.at(-1)!.children.push({ ...entry, index, children });
    ancestors.push({ level: entry.level, children });
  });
  return roots;
}

/**
 * Returns the index of the chapter that contains a page: the last one that starts on or before it; -1 before the first.
 */
export function findChapterIndex(outline: readonly OutlineEntry[], page: number): number {
  let foundIndex = -1;
  outline.forEach((entry, index) => {
    if (entry.page !== null && entry.page <= page && entry.page >= (outline[foundIndex]?.page ?? 0)) foundIndex = index;
  });
  return foundIndex;
}

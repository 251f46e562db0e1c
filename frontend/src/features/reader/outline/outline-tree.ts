import type { Schema } from '../../../shared/api/client';

type Entry = Schema<'OutlineEntryDto'>;

export interface Chapter extends Entry {
  /** Its place in the outline, from 0. */
  readonly at: number;
  readonly children: readonly Chapter[];
}

/** The outline as it is nested; an entry that skips a level belongs to the one before it. */
export function chaptersOf(outline: readonly Entry[]): readonly Chapter[] {
  const roots: Chapter[] = [];
  const open: { level: number; children: Chapter[] }[] = [{ level: 0, children: roots }];
  outline.forEach((entry, at) => {
    while (open.length > 1 && open.at(-1)!.level >= entry.level) open.pop();
    const children: Chapter[] = [];
    open.at(-1)!.children.push({ ...entry, at, children });
    open.push({ level: entry.level, children });
  });
  return roots;
}

/** The chapter in which a page is: the last one that begins there or before; -1 above the first. */
export function chapterAt(outline: readonly Entry[], page: number): number {
  let found = -1;
  outline.forEach((entry, at) => {
    if (entry.page !== null && entry.page <= page && entry.page >= (outline[found]?.page ?? 0)) found = at;
  });
  return found;
}

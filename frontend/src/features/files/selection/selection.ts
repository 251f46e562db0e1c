import { entryKey, type Entry } from '../entries';

/** The selected entries of a list. They may not be loaded any more. */
export interface Selection {
  readonly entries: ReadonlyMap<string, Entry>;
  /** The start of a range selection: the entry selected last, and where it was then. */
  readonly anchor: { readonly entry: Entry; readonly index: number } | null;
}

export const emptySelection: Selection = { entries: new Map(), anchor: null };

/** Adds an entry to the selection, or removes it. */
export function toggleEntry({ entries }: Selection, entry: Entry, index: number): Selection {
  const next = new Map(entries);
  if (!next.delete(entryKey(entry))) next.set(entryKey(entry), entry);
  return { entries: next, anchor: { entry, index } };
}

export function addEntries({ entries, anchor }: Selection, added: readonly Entry[]): Selection {
  return { entries: new Map([...entries, ...added.map((entry) => [entryKey(entry), entry] as const)]), anchor };
}

export function removeEntries({ entries, anchor }: Selection, removed: readonly Entry[]): Selection {
  const next = new Map(entries);
  for (const entry of removed) next.delete(entryKey(entry));
  return { entries: next, anchor };
}

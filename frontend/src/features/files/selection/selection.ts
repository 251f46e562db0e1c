/** The keys of a list's selected items. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  /** The start of a range selection: the item selected last. */
  readonly anchor: string | null;
}

export const emptySelection: Selection = { keys: new Set(), anchor: null };

/** Adds an item to the selection, or removes it. */
export function toggleKey({ keys }: Selection, key: string): Selection {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return { keys: next, anchor: key };
}

/** Adds everything from the anchor to an item, in list order, to the selection. */
export function extendSelection({ keys, anchor }: Selection, list: readonly string[], key: string): Selection {
  const to = list.indexOf(key);
  const from = anchor === null ? to : list.indexOf(anchor);
  const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  return { keys: new Set([...keys, ...list.slice(first, last + 1)]), anchor: from < 0 ? key : anchor };
}

/** Removes keys that are no longer in the list. */
export function retainListed(selection: Selection, list: readonly string[]): Selection {
  if (selection.keys.size === 0) return emptySelection;
  const keys = new Set(list.filter((key) => selection.keys.has(key)));
  return keys.size === selection.keys.size ? selection : { ...selection, keys };
}

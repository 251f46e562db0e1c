import { useCallback, useEffect, useMemo, useState } from 'react';
import { entryKey, type Entry } from '../entries';
import { extended, kept, nothing, toggled } from './selection';

/** What rows and cards need to know of it. */
export interface EntrySelection {
  /** Something is chosen; a press then chooses instead of opening. */
  active: boolean;
  has: (entry: Entry) => boolean;
  toggle: (entry: Entry) => void;
  /** Chooses everything up to here. */
  extendTo: (entry: Entry) => void;
}

interface Options {
  /** Everything is in the list; to choose all of it, the rest is loaded first. */
  complete: boolean;
  loadMore?: () => void;
  /** Told when Delete is pressed while something is chosen. */
  onDelete: (chosen: readonly Entry[]) => void;
}

/** The folders and files that are chosen in a list. It ends with the last of them, with Escape, and with the list. */
export function useSelection(entries: readonly Entry[], { complete, loadMore, onDelete }: Options) {
  const [selection, setSelection] = useState(nothing);
  // All were asked for, and not all of them are in the list yet.
  const [gathering, setGathering] = useState(false);
  const list = useMemo(() => entries.map(entryKey), [entries]);
  const everything = useMemo(() => ({ keys: new Set(list), anchor: list[0] ?? null }), [list]);
  if (gathering && complete) {
    setGathering(false);
    setSelection(everything);
  }
  const { keys } = useMemo(
    () => (gathering ? everything : kept(selection, list)),
    [gathering, everything, selection, list],
  );
  useEffect(() => {
    if (gathering && !complete) loadMore?.();
  }, [gathering, complete, loadMore]);

  const chosen = useMemo(() => entries.filter((entry) => keys.has(entryKey(entry))), [entries, keys]);
  const clear = useCallback(() => {
    setGathering(false);
    setSelection(nothing);
  }, []);
  const rows = useMemo(
    (): EntrySelection => ({
      active: keys.size > 0,
      has: (entry) => keys.has(entryKey(entry)),
      toggle: (entry) => {
        setGathering(false);
        setSelection((before) => toggled(kept(before, list), entryKey(entry)));
      },
      extendTo: (entry) => {
        setGathering(false);
        setSelection((before) => extended(kept(before, list), list, entryKey(entry)));
      },
    }),
    [keys, list],
  );

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isElsewhere(event.target)) return;
      if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
        setSelection(everything);
        setGathering(!complete);
      } else if (keys.size > 0 && event.key === 'Escape') clear();
      else if (keys.size > 0 && !gathering && event.key === 'Delete') onDelete(chosen);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [complete, everything, gathering, keys, chosen, clear, onDelete]);

  return { chosen, clear, gathering, rows };
}

/** Where keys belong to a field, a dialog or a menu. */
function isElsewhere(target: EventTarget | null): boolean {
  const places = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog], [role=menu]';
  return target instanceof Element && target.closest(places) !== null;
}

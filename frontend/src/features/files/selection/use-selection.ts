import { useCallback, useEffect, useMemo, useState } from 'react';
import { entryKey, type Entry } from '../entries';
import { extendSelection, retainListed, emptySelection, toggleKey } from './selection';

/** What rows and cards need to know of it. */
export interface EntrySelection {
  /** Something is chosen; a press then chooses instead of opening. */
  isActive: boolean;
  isSelected: (entry: Entry) => boolean;
  toggle: (entry: Entry) => void;
  /** Chooses everything up to here. */
  extendTo: (entry: Entry) => void;
}

interface Options {
  /** Everything is in the list; to choose all of it, the rest is loaded first. */
  isComplete: boolean;
  loadMore?: () => void;
  /** Told when Delete is pressed while something is chosen. */
  onDelete: (entries: readonly Entry[]) => void;
}

/** The folders and files that are chosen in a list. It ends with the last of them, with Escape, and with the list. */
export function useSelection(entries: readonly Entry[], { isComplete, loadMore, onDelete }: Options) {
  const [selection, setSelection] = useState(emptySelection);
  // All were asked for, and not all of them are in the list yet.
  const [isSelectingAll, setIsSelectingAll] = useState(false);
  const entryKeys = useMemo(() => entries.map(entryKey), [entries]);
  const fullSelection = useMemo(() => ({ keys: new Set(entryKeys), anchor: entryKeys[0] ?? null }), [entryKeys]);
  if (isSelectingAll && isComplete) {
    setIsSelectingAll(false);
    setSelection(fullSelection);
  }
  const { keys: selectedKeys } = useMemo(
    () => (isSelectingAll ? fullSelection : retainListed(selection, entryKeys)),
    [isSelectingAll, fullSelection, selection, entryKeys],
  );
  useEffect(() => {
    if (isSelectingAll && !isComplete) loadMore?.();
  }, [isSelectingAll, isComplete, loadMore]);

  const selectedEntries = useMemo(
    () => entries.filter((entry) => selectedKeys.has(entryKey(entry))),
    [entries, selectedKeys],
  );
  const clear = useCallback(() => {
    setIsSelectingAll(false);
    setSelection(emptySelection);
  }, []);
  const entrySelection = useMemo(
    (): EntrySelection => ({
      isActive: selectedKeys.size > 0,
      isSelected: (entry) => selectedKeys.has(entryKey(entry)),
      toggle: (entry) => {
        setIsSelectingAll(false);
        setSelection((previous) => toggleKey(retainListed(previous, entryKeys), entryKey(entry)));
      },
      extendTo: (entry) => {
        setIsSelectingAll(false);
        setSelection((previous) => extendSelection(retainListed(previous, entryKeys), entryKeys, entryKey(entry)));
      },
    }),
    [selectedKeys, entryKeys],
  );

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isHandledElsewhere(event.target)) return;
      if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
        setSelection(fullSelection);
        setIsSelectingAll(!isComplete);
      } else if (selectedKeys.size > 0 && event.key === 'Escape') clear();
      else if (selectedKeys.size > 0 && !isSelectingAll && event.key === 'Delete') onDelete(selectedEntries);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isComplete, fullSelection, isSelectingAll, selectedKeys, selectedEntries, clear, onDelete]);

  return { selectedEntries, clear, isSelectingAll, entrySelection };
}

/** Where keys belong to a field, a dialog or a menu. */
function isHandledElsewhere(target: EventTarget | null): boolean {
  const selector = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog], [role=menu]';
  return target instanceof Element && target.closest(selector) !== null;
}

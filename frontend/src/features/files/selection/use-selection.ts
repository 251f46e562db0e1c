import { useCallback, useEffect, useMemo, useState } from 'react';
import { entryKey, type Entry } from '../entries';
import { extendSelection, retainListed, emptySelection, toggleKey } from './selection';

/** What rows and cards need to know about the selection. */
export interface EntrySelection {
  /** Something is selected; a click then selects instead of opening. */
  isActive: boolean;
  isSelected: (entry: Entry) => boolean;
  toggle: (entry: Entry) => void;
  /** Selects everything up to this entry. */
  extendTo: (entry: Entry) => void;
}

interface Options {
  /** The list is fully loaded; to select all entries, the rest is loaded first. */
  isComplete: boolean;
  loadMore?: () => void;
  /** Called when Delete is pressed during a selection. */
  onDelete: (entries: readonly Entry[]) => void;
}

/**
 * The selected folders and files of a list. Deselecting the last one, Escape, or leaving the list ends the selection.
 */
export function useSelection(entries: readonly Entry[], { isComplete, loadMore, onDelete }: Options) {
  const [selection, setSelection] = useState(emptySelection);
  // "Select all" was requested, and not all entries are loaded yet.
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

/** Whether key presses belong to a field, dialog or menu. */
function isHandledElsewhere(target: EventTarget | null): boolean {
  const selector = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog], [role=menu]';
  return target instanceof Element && target.closest(selector) !== null;
}

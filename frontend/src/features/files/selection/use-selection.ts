import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import type { FolderContent } from '../api/use-folder-content';
import { entryKey, type Entry } from '../entries';
import { addEntries, emptySelection, removeEntries, toggleEntry, type Selection } from './selection';

/** What rows and cards need to change the selection; keeps its identity. */
export interface SelectionActions {
  toggle: (entry: Entry) => void;
  /** Selects everything up to this entry. */
  extendTo: (entry: Entry) => void;
}

export interface EntrySelection {
  /** Something is selected; a click then selects instead of opening. */
  isActive: boolean;
  isSelected: (entry: Entry) => boolean;
  actions: SelectionActions;
}

type Content = Pick<FolderContent, 'entries' | 'total' | 'isComplete' | 'loadEntries'>;

/**
 * The selected folders and files of a list. Deselecting the last one, Escape, or leaving the list ends the selection.
 * Selected entries stay selected when they leave the screen. To select entries that aren't loaded, they are loaded first.
 * @param onDelete called when Delete is pressed during a selection, which it ends
 */
export function useSelection(
  { entries, total, isComplete, loadEntries }: Content,
  onDelete: (entries: readonly Entry[]) => void,
) {
  const { t } = useTranslation('files');
  const errorText = useErrorText();
  const [storedSelection, setSelection] = useState(emptySelection);
  // "Select all" was requested, and not all entries are loaded yet.
  const [isSelectingAll, setIsSelectingAll] = useState(false);
  const selection = useMemo(
    () => (isComplete ? retainListed(storedSelection, entries) : storedSelection),
    [storedSelection, entries, isComplete],
  );
  const selectedEntries = useMemo(() => [...selection.entries.values()], [selection]);

  const latest = useRef({ entries, total, isComplete, loadEntries, selection });
  useEffect(() => {
    latest.current = { entries, total, isComplete, loadEntries, selection };
  });
  /** Changes with every selection, so that entries that arrive afterwards aren't added to it. */
  const loading = useRef(0);

  const clear = useCallback(() => {
    loading.current++;
    setIsSelectingAll(false);
    setSelection(emptySelection);
  }, []);
  const change = useCallback((next: (selection: Selection) => Selection) => {
    loading.current++;
    setIsSelectingAll(false);
    setSelection(next(latest.current.selection));
  }, []);
  const addRange = useCallback(
    async (first: number, end: number) => {
      const known = latest.current.entries.slice(first, end);
      const number = ++loading.current;
      try {
        const added = known.includes(undefined) ? await latest.current.loadEntries(first, end) : known;
        if (loading.current !== number) return;
        setSelection(addEntries(latest.current.selection, added as readonly Entry[]));
      } catch (error) {
        if (loading.current !== number) return;
        toast.error(t('failed'), errorText(error));
      }
      setIsSelectingAll(false);
    },
    [t, errorText],
  );
  const selectAll = useCallback(() => {
    setIsSelectingAll(!latest.current.isComplete);
    void addRange(0, latest.current.total);
  }, [addRange]);

  const actions = useMemo(
    (): SelectionActions => ({
      toggle: (entry) => change((previous) => toggleEntry(previous, entry, indexOf(latest.current.entries, entry))),
      extendTo: (entry) => {
        const to = indexOf(latest.current.entries, entry);
        const { anchor } = latest.current.selection;
        const anchorIndex = anchor === null ? -1 : indexOf(latest.current.entries, anchor.entry);
        const from = anchor === null ? to : anchorIndex < 0 ? anchor.index : anchorIndex;
        if (anchor === null) change((previous) => toggleEntry(removeEntries(previous, [entry]), entry, to));
        else void addRange(Math.min(from, to), Math.max(from, to) + 1);
      },
    }),
    [change, addRange],
  );
  const entrySelection = useMemo(
    (): EntrySelection => ({
      isActive: isSelectingAll || selection.entries.size > 0,
      isSelected: (entry) => isSelectingAll || selection.entries.has(entryKey(entry)),
      actions,
    }),
    [selection, isSelectingAll, actions],
  );
  const deselect = useCallback(
    (removed: readonly Entry[]) => setSelection((previous) => removeEntries(previous, removed)),
    [],
  );

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isHandledElsewhere(event.target)) return;
      if (event.key === 'a' && (event.ctrlKey || event.metaKey)) selectAll();
      else if (entrySelection.isActive && event.key === 'Escape') clear();
      else if (entrySelection.isActive && !isSelectingAll && event.key === 'Delete') {
        onDelete(selectedEntries);
        clear();
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [entrySelection, isSelectingAll, selectedEntries, selectAll, clear, onDelete]);

  return { selectedEntries, clear, deselect, isSelectingAll, entrySelection };
}

const indexOf = (entries: readonly (Entry | undefined)[], entry: Entry) => {
  const key = entryKey(entry);
  return entries.findIndex((listed) => listed && entryKey(listed) === key);
};

/** Removes entries that are no longer in the list, and sorts them as they are there. */
function retainListed(selection: Selection, entries: readonly (Entry | undefined)[]): Selection {
  if (selection.entries.size === 0) return emptySelection;
  const listed = entries.flatMap((entry) => (entry && selection.entries.has(entryKey(entry)) ? entry : []));
  return { ...selection, entries: new Map(listed.map((entry) => [entryKey(entry), entry])) };
}

/** Whether key presses belong to a field, dialog or menu. */
function isHandledElsewhere(target: EventTarget | null): boolean {
  const selector = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog], [role=menu]';
  return target instanceof Element && target.closest(selector) !== null;
}

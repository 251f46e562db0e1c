import { useEffect, useEffectEvent } from 'react';
import { characterKeys } from '../../../shared/preferences/character-keys';
import type { DocumentSearch } from './use-document-search';

/** Overlays above the reader handle their own keys. */
const OVERLAYS = 'dialog, [role=dialog], [role=menu]';
/** Form fields keep their characters as well, and an open menu its Escape. */
const EXCLUDED_TARGETS = `${OVERLAYS}, input, textarea, select, video, audio, [contenteditable=true], details[open]`;

/** Keyboard shortcuts of the search; handled before those of the reader and the command palette. */
export function useSearchShortcuts(search: DocumentSearch): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const action = event.defaultPrevented || event.altKey ? undefined : actionFor(event, search);
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    addEventListener('keydown', listener, { capture: true });
    return () => removeEventListener('keydown', listener, { capture: true });
  }, []);
}

function actionFor(event: KeyboardEvent, search: DocumentSearch): (() => void) | undefined {
  const target = event.target instanceof Element ? event.target : null;
  const isSearchInput = target !== null && target === search.inputRef.current;
  const isShortcutAllowed = isSearchInput || !target?.closest(EXCLUDED_TARGETS);
  const hasModifier = event.ctrlKey || event.metaKey;
  if (!isSearchInput && target?.closest(OVERLAYS)) return undefined;
  // Pressed again in the search field, Ctrl+F opens the browser's own search.
  if (hasModifier)
    return event.key.toLowerCase() === 'f' && !event.shiftKey && !isSearchInput ? search.open : undefined;
  if (event.key === 'F3') return search.isOpen ? () => search.moveBy(event.shiftKey ? -1 : 1) : search.open;
  if (event.key === '/') return isShortcutAllowed && !isSearchInput && characterKeys.get() ? search.open : undefined;
  return event.key === 'Escape' && search.isOpen && isShortcutAllowed ? search.close : undefined;
}

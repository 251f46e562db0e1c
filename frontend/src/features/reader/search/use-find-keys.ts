import { useEffect, useEffectEvent } from 'react';
import { characterKeys } from '../../../shared/preferences/character-keys';
import type { Find } from './use-find';

/** What is open above what is read keeps its keys. */
const above = 'dialog, [role=dialog], [role=menu]';
/** What is written in, too, keeps its letters, and an open menu its Escape. */
const takers = `${above}, input, textarea, select, video, audio, [contenteditable=true], details[open]`;

/** The keys of the search. They are heard before those of the reader and of the palette. */
export function useFindKeys(find: Find): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const action = event.defaultPrevented || event.altKey ? undefined : actionOf(event, find);
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

function actionOf(event: KeyboardEvent, find: Find): (() => void) | undefined {
  const target = event.target instanceof Element ? event.target : null;
  const isOurs = target !== null && target === find.field.current;
  const isFree = isOurs || !target?.closest(takers);
  const isHeld = event.ctrlKey || event.metaKey;
  if (!isOurs && target?.closest(above)) return undefined;
  // Pressed once more, where one searches already, it is the browser's own.
  if (isHeld) return event.key.toLowerCase() === 'f' && !event.shiftKey && !isOurs ? find.open : undefined;
  if (event.key === 'F3') return find.isOpen ? () => find.step(event.shiftKey ? -1 : 1) : find.open;
  if (event.key === '/') return isFree && !isOurs && characterKeys.get() ? find.open : undefined;
  return event.key === 'Escape' && find.isOpen && isFree ? find.close : undefined;
}

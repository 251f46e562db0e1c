import { useEffect, useEffectEvent } from 'react';
import { characterKeys } from '../../../shared/preferences/character-keys';
import { phone, type View } from './use-view';

interface Keys {
  view: View;
  /** Where one is in a document; null while nothing is read page by page. */
  position: { page: number; count: number } | null;
  onPrevious?: () => void;
  onNext?: () => void;
  onBack: () => void;
}

type Actions = Record<string, (() => void) | undefined>;

/** What uses keys itself, or is open above what is read. */
const takers = 'input, textarea, select, video, audio, [contenteditable=true], dialog, [role=dialog], [role=menu]';
/** What a press of the space bar belongs to. */
const pressable = 'button, a, summary';

/** The keys of the reader. All that is not here scrolls, as the browser does by itself. */
export function useReaderKeys(keys: Keys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(takers)) return;
    const isHeld = event.ctrlKey || event.metaKey;
    const isPlain = !isHeld && !event.shiftKey;
    if (!isHeld && isSign(event.key) && !characterKeys.get()) return;
    // `+` and `?` need Shift on many keyboards; with Ctrl the browser's own zoom would leave the pictures as they are.
    const zoom = keys.position ? zoomActions(keys.view)[event.key] : undefined;
    const sign = !isHeld && event.key === '?' ? () => keys.view.help.current?.showModal() : undefined;
    const action = zoom ?? sign ?? (isPlain ? plainAction(keys, event) : undefined);
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}

/** One letter or sign; the space bar is a key of its own. */
const isSign = (key: string) => key.length === 1 && key !== ' ';

function zoomActions(view: View): Actions {
  const [more, less] = [() => view.zoomBy(1), () => view.zoomBy(-1)];
  return { '+': more, '=': more, '-': less, _: less, 0: () => view.zoomTo(1) };
}

function plainAction({ view, position, onPrevious, onNext, onBack }: Keys, event: KeyboardEvent) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const letters: Actions = { r: view.rotate, g: () => view.field.current?.focus() };
  const sides = sideways();
  const actions: Actions = {
    ...(position && letters),
    f: view.full.toggle,
    Escape: isCovered(view, position) ? () => uncover(view) : view.full.isFull ? view.full.leave : onBack,
    ArrowLeft: sides ? () => sides.scrollBy({ left: -sideStep }) : onPrevious,
    ArrowRight: sides ? () => sides.scrollBy({ left: sideStep }) : onNext,
    ...(position && view.flow === 'single' && pageByPage(view, position, sides === null)),
  };
  const isPressed = key === ' ' && event.target instanceof Element && event.target.closest(pressable);
  return isPressed ? undefined : actions[key];
}

/** On a phone what stands beside the pages lies over them. */
const isCovered = (view: View, position: Keys['position']) =>
  position !== null && view.hasStrip && matchMedia(phone).matches;

/** What had the focus goes; what it was opened by has it then. */
function uncover(view: View): void {
  view.setStrip(false);
  document.querySelector<HTMLElement>('.z-reader-more summary')?.focus();
}

/** Pixels that one press moves what is wider than the window. */
const sideStep = 80;

/** What moves to the sides: pages that are zoomed, else nothing. */
function sideways(): Element | null {
  const area = document.querySelector('.z-reader-area');
  return area && area.scrollWidth > area.clientWidth ? area : null;
}

/** At the end of a page the keys that scroll lead to the next one, and at its head to the one before. */
function pageByPage(view: View, { page, count }: { page: number; count: number }, isNarrow: boolean): Actions {
  const go = (to: number) => (to < 1 || to > count ? undefined : () => view.pages.current?.go(to));
  const isAtEnd = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1;
  const next = isAtEnd ? go(page + 1) : undefined;
  const before = window.scrollY <= 0 ? go(page - 1) : undefined;
  return {
    ...{ ArrowDown: next, PageDown: next, ' ': next, ArrowUp: before, PageUp: before },
    ...{ Home: go(1), End: go(count) },
    ...(isNarrow && { ArrowLeft: go(page - 1), ArrowRight: go(page + 1) }),
  };
}

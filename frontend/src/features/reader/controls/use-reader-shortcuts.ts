import { useEffect, useEffectEvent } from 'react';
import { characterKeys } from '../../../shared/preferences/character-keys';
import { PHONE_QUERY, type ReaderView } from './use-reader-view';

interface ShortcutOptions {
  view: ReaderView;
  /** Where one is in a document; null while nothing is read page by page. */
  position: { page: number; count: number } | null;
  onPrevious?: () => void;
  onNext?: () => void;
  onBack: () => void;
}

type Actions = Record<string, (() => void) | undefined>;

/** What uses keys itself, or is open above what is read. */
const EXCLUDED_TARGETS =
  'input, textarea, select, video, audio, [contenteditable=true], dialog, [role=dialog], [role=menu]';
/** What a press of the space bar belongs to. */
const PRESSABLE_ELEMENTS = 'button, a, summary';

/** The keys of the reader. All that is not here scrolls, as the browser does by itself. */
export function useReaderShortcuts(options: ShortcutOptions): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(EXCLUDED_TARGETS)) return;
    const hasModifier = event.ctrlKey || event.metaKey;
    const isUnmodified = !hasModifier && !event.shiftKey;
    if (!hasModifier && isCharacterKey(event.key) && !characterKeys.get()) return;
    // `+` and `?` need Shift on many keyboards; with Ctrl the browser's own zoom would leave the pictures as they are.
    const zoomAction = options.position ? zoomActions(options.view)[event.key] : undefined;
    const helpAction =
      !hasModifier && event.key === '?' ? () => options.view.helpDialogRef.current?.showModal() : undefined;
    const action = zoomAction ?? helpAction ?? (isUnmodified ? unmodifiedKeyAction(options, event) : undefined);
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
const isCharacterKey = (key: string) => key.length === 1 && key !== ' ';

function zoomActions(view: ReaderView): Actions {
  const [zoomIn, zoomOut] = [() => view.zoomBy(1), () => view.zoomBy(-1)];
  return { '+': zoomIn, '=': zoomIn, '-': zoomOut, _: zoomOut, 0: () => view.zoomTo(1) };
}

function unmodifiedKeyAction({ view, position, onPrevious, onNext, onBack }: ShortcutOptions, event: KeyboardEvent) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const documentActions: Actions = { r: view.rotate, g: () => view.pageFieldRef.current?.focus() };
  const scroller = findHorizontalScroller();
  const actions: Actions = {
    ...(position && documentActions),
    f: view.fullScreen.toggle,
    Escape: isSidebarOverlay(view, position)
      ? () => closeSidebarOverlay(view)
      : view.fullScreen.isActive
        ? view.fullScreen.exit
        : onBack,
    ArrowLeft: scroller ? () => scroller.scrollBy({ left: -HORIZONTAL_SCROLL_STEP }) : onPrevious,
    ArrowRight: scroller ? () => scroller.scrollBy({ left: HORIZONTAL_SCROLL_STEP }) : onNext,
    ...(position && view.layoutMode === 'single' && singlePageActions(view, position, scroller === null)),
  };
  const isSpaceOnControl = key === ' ' && event.target instanceof Element && event.target.closest(PRESSABLE_ELEMENTS);
  return isSpaceOnControl ? undefined : actions[key];
}

/** On a phone what stands beside the pages lies over them. */
const isSidebarOverlay = (view: ReaderView, position: ShortcutOptions['position']) =>
  position !== null && view.isSidebarOpen && matchMedia(PHONE_QUERY).matches;

/** What had the focus goes; what it was opened by has it then. */
function closeSidebarOverlay(view: ReaderView): void {
  view.setSidebarOpen(false);
  document.querySelector<HTMLElement>('.z-reader-more summary')?.focus();
}

/** Pixels that one press moves what is wider than the window. */
const HORIZONTAL_SCROLL_STEP = 80;

/** What moves to the sides: pages that are zoomed, else nothing. */
function findHorizontalScroller(): Element | null {
  const area = document.querySelector('.z-reader-area');
  return area && area.scrollWidth > area.clientWidth ? area : null;
}

/** At the end of a page the keys that scroll lead to the next one, and at its head to the one before. */
function singlePageActions(
  view: ReaderView,
  { page, count }: { page: number; count: number },
  fitsWidth: boolean,
): Actions {
  const goTo = (target: number) =>
    target < 1 || target > count ? undefined : () => view.pagesRef.current?.goToPage(target);
  const isAtEnd = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1;
  const next = isAtEnd ? goTo(page + 1) : undefined;
  const previous = window.scrollY <= 0 ? goTo(page - 1) : undefined;
  return {
    ...{ ArrowDown: next, PageDown: next, ' ': next, ArrowUp: previous, PageUp: previous },
    ...{ Home: goTo(1), End: goTo(count) },
    ...(fitsWidth && { ArrowLeft: goTo(page - 1), ArrowRight: goTo(page + 1) }),
  };
}

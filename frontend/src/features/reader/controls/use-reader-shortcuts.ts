import { useEffect, useEffectEvent } from 'react';
import { characterKeys } from '../../../shared/preferences/character-keys';
import { PHONE_QUERY, type ReaderView } from './use-reader-view';

interface ShortcutOptions {
  view: ReaderView;
  /** The current page of a document; null if the file isn't read page by page. */
  position: { page: number; count: number } | null;
  onPrevious?: () => void;
  onNext?: () => void;
  /** Undefined if there is nothing to go back to. */
  onBack?: () => void;
}

type Actions = Record<string, (() => void) | undefined>;

/** Elements that handle keys themselves, and overlays above the reader. */
const EXCLUDED_TARGETS =
  'input, textarea, select, video, audio, [contenteditable=true], dialog, [role=dialog], [role=menu]';
/** Elements that the space bar activates. */
const PRESSABLE_ELEMENTS = 'button, a, summary';

/** Keyboard shortcuts of the reader. All other keys keep their default, such as scrolling. */
export function useReaderShortcuts(options: ShortcutOptions): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(EXCLUDED_TARGETS)) return;
    const hasModifier = event.ctrlKey || event.metaKey;
    const isUnmodified = !hasModifier && !event.shiftKey;
    if (!hasModifier && isCharacterKey(event.key) && !characterKeys.get()) return;
    // `+` and `?` need Shift on many keyboards. Ctrl is accepted for zoom, because the browser's zoom wouldn't load
    // sharper images.
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

/** A single letter or symbol; the space bar is handled separately. */
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

/** On a phone the sidebar covers the pages. */
const isSidebarOverlay = (view: ReaderView, position: ShortcutOptions['position']) =>
  position !== null && view.isSidebarOpen && matchMedia(PHONE_QUERY).matches;

/** The focused element disappears, so focus returns to the menu button that opened the sidebar. */
function closeSidebarOverlay(view: ReaderView): void {
  view.setSidebarOpen(false);
  document.querySelector<HTMLElement>('.z-reader-more summary')?.focus();
}

/** Pixels that one key press scrolls horizontally. */
const HORIZONTAL_SCROLL_STEP = 80;

/** Returns the element that scrolls horizontally: zoomed pages, or nothing. */
function findHorizontalScroller(): Element | null {
  const area = document.querySelector('.z-reader-area');
  return area && area.scrollWidth > area.clientWidth ? area : null;
}

/** In single-page mode, scroll keys at the end of a page go to the next one, and at its top to the previous one. */
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
    ArrowDown: next,
    PageDown: next,
    ' ': next,
    ArrowUp: previous,
    PageUp: previous,
    Home: goTo(1),
    End: goTo(count),
    ...(fitsWidth && { ArrowLeft: goTo(page - 1), ArrowRight: goTo(page + 1) }),
  };
}

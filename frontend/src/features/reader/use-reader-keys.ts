import { useEffect } from 'react';

interface Keys {
  onPrevious?: () => void;
  onNext?: () => void;
  onBack: () => void;
}

/** What uses keys itself, or is open above what is read. */
const takers = 'input, textarea, select, video, audio, [contenteditable=true], [role=dialog], [role=menu]';

/**
 * Left and right lead to the file before and after, unless what is shown is wider than the window and they move it;
 * Escape leads back. All other keys scroll, as the browser does by itself.
 */
export function useReaderKeys({ onPrevious, onNext, onBack }: Keys): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target instanceof Element && event.target.closest(takers)) return;
      const { scrollWidth, clientWidth } = document.documentElement;
      const isWide = scrollWidth > clientWidth;
      const actions: Record<string, (() => void) | undefined> = {
        ArrowLeft: isWide ? undefined : onPrevious,
        ArrowRight: isWide ? undefined : onNext,
        Escape: onBack,
      };
      const action = actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [onPrevious, onNext, onBack]);
}

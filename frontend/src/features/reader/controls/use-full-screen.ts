import { useCallback, useEffect, useState } from 'react';

export interface FullScreen {
  readonly isActive: boolean;
  /** Whether the bar is hidden instead, because the browser has no Fullscreen API (iPhones). */
  readonly isToolbarHidden: boolean;
  toggle: () => void;
  exit: () => void;
}

const isDocumentFullScreen = () => Boolean(document.fullscreenElement);

/**
 * Makes the whole document full screen, so that dialogs and toasts still appear above it. It survives navigation to the
 * next file.
 */
export function useFullScreen(): FullScreen {
  const [isNative, setNative] = useState(isDocumentFullScreen);
  const [isToolbarHidden, setToolbarHidden] = useState(false);
  useEffect(() => {
    const handleChange = () => setNative(isDocumentFullScreen());
    document.addEventListener('fullscreenchange', handleChange);
    return () => {
      document.removeEventListener('fullscreenchange', handleChange);
      if (isDocumentFullScreen()) void document.exitFullscreen();
    };
  }, []);
  const exit = useCallback(() => {
    setToolbarHidden(false);
    if (isDocumentFullScreen()) void document.exitFullscreen();
  }, []);
  const toggle = useCallback(() => {
    if (isDocumentFullScreen() || isToolbarHidden) return exit();
    // The browser may reject the request by its own policy; then only the bar is hidden.
    if (document.fullscreenEnabled) document.documentElement.requestFullscreen().catch(() => setToolbarHidden(true));
    else setToolbarHidden(true);
  }, [isToolbarHidden, exit]);
  return { isActive: isNative || isToolbarHidden, isToolbarHidden, toggle, exit };
}

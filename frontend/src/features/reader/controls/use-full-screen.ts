import { useCallback, useEffect, useState } from 'react';

export interface FullScreen {
  readonly isActive: boolean;
  /** The browser has no full screen to give (iPhones): the bar goes instead. */
  readonly isToolbarHidden: boolean;
  toggle: () => void;
  exit: () => void;
}

const isDocumentFullScreen = () => Boolean(document.fullscreenElement);

/** Lets what is read have the whole screen, questions and notices above it included; over files it stays. */
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
    // A browser that refuses it, by a rule of its own, leaves what can be done without it.
    if (document.fullscreenEnabled) document.documentElement.requestFullscreen().catch(() => setToolbarHidden(true));
    else setToolbarHidden(true);
  }, [isToolbarHidden, exit]);
  return { isActive: isNative || isToolbarHidden, isToolbarHidden, toggle, exit };
}

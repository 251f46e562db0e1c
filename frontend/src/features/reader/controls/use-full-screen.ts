import { useCallback, useEffect, useState } from 'react';

export interface FullScreen {
  readonly isFull: boolean;
  /** The browser has no full screen to give (iPhones): the bar goes instead. */
  readonly isBare: boolean;
  toggle: () => void;
  leave: () => void;
}

const isFullNow = () => Boolean(document.fullscreenElement);

/** Lets what is read have the whole screen, questions and notices above it included; over files it stays. */
export function useFullScreen(): FullScreen {
  const [isFull, setFull] = useState(isFullNow);
  const [isBare, setBare] = useState(false);
  useEffect(() => {
    const follow = () => setFull(isFullNow());
    document.addEventListener('fullscreenchange', follow);
    return () => {
      document.removeEventListener('fullscreenchange', follow);
      if (isFullNow()) void document.exitFullscreen();
    };
  }, []);
  const leave = useCallback(() => {
    setBare(false);
    if (isFullNow()) void document.exitFullscreen();
  }, []);
  const toggle = useCallback(() => {
    if (isFullNow() || isBare) return leave();
    // A browser that refuses it, by a rule of its own, leaves what can be done without it.
    if (document.fullscreenEnabled) document.documentElement.requestFullscreen().catch(() => setBare(true));
    else setBare(true);
  }, [isBare, leave]);
  return { isFull: isFull || isBare, isBare, toggle, leave };
}

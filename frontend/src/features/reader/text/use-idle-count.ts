import { useEffect, useState } from 'react';

/** Runs an action when the browser is idle; returns a function that cancels it. */
function runWhenIdle(action: () => void): () => void {
  // Safari doesn't support `requestIdleCallback`; a timeout after the pending tasks is the closest alternative.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(action);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(action, { timeout: 500 });
  return () => window.cancelIdleCallback(handle);
}

/** Returns how many of `total` items to render: one more each time the browser is idle. */
export function useIdleCount(total: number): number {
  const [count, setCount] = useState(0);
  useEffect(
    () => (count < total ? runWhenIdle(() => setCount((previous) => previous + 1)) : undefined),
    [count, total],
  );
  return Math.min(count, total);
}

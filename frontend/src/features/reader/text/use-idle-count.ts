import { useEffect, useState } from 'react';

/** Calls when the browser has nothing else to do; gives how not to. */
function runWhenIdle(action: () => void): () => void {
  // Safari has no such moment: after what waits already is the next best.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(action);
    return () => clearTimeout(timer);
  }
  const handle = window.requestIdleCallback(action, { timeout: 500 });
  return () => window.cancelIdleCallback(handle);
}

/** How many of `total` are to be there: one more each time that the browser has nothing else to do. */
export function useIdleCount(total: number): number {
  const [count, setCount] = useState(0);
  useEffect(
    () => (count < total ? runWhenIdle(() => setCount((previous) => previous + 1)) : undefined),
    [count, total],
  );
  return Math.min(count, total);
}

import { useEffect, useEffectEvent } from 'react';

/** What failed for want of a network comes by itself once there is one again. */
export function useRetryWhenOnline(onRetry: () => void): void {
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const listener = () => retry();
    addEventListener('online', listener);
    return () => removeEventListener('online', listener);
  }, []);
}

import { useEffect, useEffectEvent } from 'react';

/** What failed for want of a network comes by itself once there is one again. */
export function useOnline(onRetry: () => void): void {
  const again = useEffectEvent(onRetry);
  useEffect(() => {
    const listener = () => again();
    addEventListener('online', listener);
    return () => removeEventListener('online', listener);
  }, []);
}

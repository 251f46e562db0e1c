import { useEffect, useEffectEvent } from 'react';

/** Retries failed requests automatically when the browser is back online. */
export function useRetryWhenOnline(onRetry: () => void): void {
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const listener = () => retry();
    addEventListener('online', listener);
    return () => removeEventListener('online', listener);
  }, []);
}

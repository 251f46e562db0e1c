import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Whether the browser knows of a connection. One that it believes in may still lead nowhere. */
export const useIsOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

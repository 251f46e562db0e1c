import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Whether the browser reports a connection. That doesn't guarantee that the server can be reached. */
export const useIsOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

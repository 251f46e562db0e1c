import { useEffect, useRef } from 'react';
import { useIsOnline } from './use-is-online';

/**
 * Calls once the connection is back.
 * @returns whether there is one now
 */
export function useOnReconnect(callback: () => void): boolean {
  const isOnline = useIsOnline();
  const wasOnlineRef = useRef(isOnline);
  useEffect(() => {
    if (isOnline && !wasOnlineRef.current) callback();
    wasOnlineRef.current = isOnline;
  }, [isOnline, callback]);
  return isOnline;
}

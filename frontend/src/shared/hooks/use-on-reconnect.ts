import { useEffect, useRef } from 'react';
import { useIsOnline } from './use-is-online';

/**
 * Calls back when the connection returns.
 * @returns whether the browser is online
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

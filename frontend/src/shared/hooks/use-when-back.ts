import { useEffect, useRef } from 'react';
import { useOnline } from './use-online';

/**
 * Calls once the connection is back.
 * @returns whether there is one now
 */
export function useWhenBack(call: () => void): boolean {
  const isOnline = useOnline();
  const wasOnline = useRef(isOnline);
  useEffect(() => {
    if (isOnline && !wasOnline.current) call();
    wasOnline.current = isOnline;
  }, [isOnline, call]);
  return isOnline;
}

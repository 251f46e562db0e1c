import { useCallback, useEffect, useRef } from 'react';
import type { Schema } from '../../../shared/api/client';
import { useInvalidate } from '../../../shared/api/invalidate';
import type { PositionSource } from '../source/reader-source';

/**
 * Returns a function that saves where the user is: the latest position after `delay` milliseconds, or at once when the
 * page is hidden or left.
 */
export function usePositionSaver({ save }: PositionSource, fileId: number, delay: number) {
  const invalidate = useInvalidate();
  const unsavedRef = useRef<Schema<'SavePositionDto'> | null>(null);
  const timerRef = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isRejectedRef = useRef(false);

  const flush = useCallback(() => {
    clearTimeout(timerRef.current);
    timerRef.current = undefined;
    const position = unsavedRef.current;
    unsavedRef.current = null;
    if (position === null || isRejectedRef.current) return;
    void save(fileId, position).then((isAccepted) => {
      isRejectedRef.current = !isAccepted;
      void invalidate('POST /api/files/{id}/position');
    });
  }, [save, fileId, invalidate]);

  useEffect(() => {
    const flushIfHidden = () => {
      if (document.visibilityState === 'hidden') flush();
    };
    // Phones end hidden pages without a `pagehide` event.
    document.addEventListener('visibilitychange', flushIfHidden);
    addEventListener('pagehide', flush);
    return () => {
      document.removeEventListener('visibilitychange', flushIfHidden);
      removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);

  return useCallback(
    (position: Schema<'SavePositionDto'>) => {
      unsavedRef.current = position;
      timerRef.current ??= setTimeout(flush, delay);
    },
    [flush, delay],
  );
}

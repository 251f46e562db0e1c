import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hasCode } from '../../../shared/api/api-error';
import { useReaderSource } from '../source/use-reader-source';

/**
 * Refetches the document's state when a page is rejected with DOCUMENT_LOCKED: an entered password is valid for one
 * hour.
 */
export function useRefetchWhenLocked(fileId: number, error: unknown): void {
  const queryClient = useQueryClient();
  const source = useReaderSource();
  const isLocked = hasCode(error, 'DOCUMENT_LOCKED');
  useEffect(() => {
    if (isLocked) void queryClient.invalidateQueries({ queryKey: source.documentQuery(fileId).queryKey });
  }, [isLocked, queryClient, source, fileId]);
}

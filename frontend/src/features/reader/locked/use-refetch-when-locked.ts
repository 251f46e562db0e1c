import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hasCode } from '../../../shared/api/api-error';

/**
 * Refetches the document's state when a page is rejected with DOCUMENT_LOCKED: an entered password is valid for one
 * hour.
 */
export function useRefetchWhenLocked(error: unknown): void {
  const queryClient = useQueryClient();
  const isLocked = hasCode(error, 'DOCUMENT_LOCKED');
  useEffect(() => {
    if (isLocked) void queryClient.invalidateQueries({ queryKey: ['get', '/api/files/{id}/pages'] });
  }, [isLocked, queryClient]);
}

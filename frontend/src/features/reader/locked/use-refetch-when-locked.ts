import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hasCode } from '../../../shared/api/api-error';

/** Asks anew what is known of a document when a page of it is refused for want of its password, which counts an hour. */
export function useRefetchWhenLocked(error: unknown): void {
  const queryClient = useQueryClient();
  const isLocked = hasCode(error, 'DOCUMENT_LOCKED');
  useEffect(() => {
    if (isLocked) void queryClient.invalidateQueries({ queryKey: ['get', '/api/files/{id}/pages'] });
  }, [isLocked, queryClient]);
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';

/**
 * Records the user's visit to someone else's zone, so that the home page knows which files are new to them. If it
 * fails, files stay marked as new until the next visit.
 */
export function useRecordVisit(zone: Pick<Schema<'ZoneDto'>, 'id' | 'isOwner'> | undefined): void {
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (id: number) => api.POST('/api/zones/{id}/visits', { params: { path: zonePathParams(id) } }),
    onSuccess: () => void invalidate(queryClient, 'POST /api/zones/{id}/visits'),
  });
  const id = zone?.isOwner === false ? zone.id : undefined;
  useEffect(() => {
    if (id !== undefined) mutate(id);
  }, [id, mutate]);
}

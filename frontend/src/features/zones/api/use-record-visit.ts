import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';

/**
 * Tells that the person is in a zone of somebody else, so that home knows what is new to them. One that could not be told
 * is told with the next visit; until then files stay new for longer, and nothing else comes of it.
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

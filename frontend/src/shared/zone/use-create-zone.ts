import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema } from '../api/client';
import { invalidate } from '../api/invalidate';

type Zone = Schema<'ZoneDto'>;

/** Creates a zone and invalidates every query that counts zones. */
export function useCreateZone() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schema<'CreateZoneDto'>): Promise<Zone> => (await api.POST('/api/zones', { body })).data!,
    onSuccess: (zone) => {
      queryClient.setQueryData(['get', '/api/zones'], (zones: Zone[] | undefined) => zones && [zone, ...zones]);
      void invalidate(queryClient, 'POST /api/zones');
    },
  });
}

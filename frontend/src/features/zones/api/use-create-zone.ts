import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema } from '../../../shared/api/client';
import { currentUserKey } from '../../../shared/api/current-user';
import type { Zone } from '../sort-zones';

/** Creates a zone, and lets every figure that counts zones be asked for anew. */
export function useCreateZone() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schema<'CreateZoneDto'>): Promise<Zone> => (await api.POST('/api/zones', { body })).data!,
    onSuccess: (zone) => {
      queries.setQueryData(['get', '/api/zones'], (zones: Zone[] | undefined) => zones && [zone, ...zones]);
      for (const key of [['get', '/api/zones'], ['get', '/api/dashboard/stats'], currentUserKey]) {
        void queries.invalidateQueries({ queryKey: key });
      }
    },
  });
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema } from '../api/client';
import { touch } from '../api/touch';

type Zone = Schema<'ZoneDto'>;

/** Creates a zone, and lets every figure that counts zones be asked for anew. */
export function useCreateZone() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schema<'CreateZoneDto'>): Promise<Zone> => (await api.POST('/api/zones', { body })).data!,
    onSuccess: (zone) => {
      queries.setQueryData(['get', '/api/zones'], (zones: Zone[] | undefined) => zones && [zone, ...zones]);
      void touch(queries, 'POST /api/zones');
    },
  });
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema } from '../api/client';
import { currentUserKey } from '../api/current-user';

type Zone = Schema<'ZoneDto'>;

/** What is counted or told anew once there is one more zone. */
const touched = [
  ['get', '/api/zones'],
  ['get', '/api/dashboard/stats'],
  ['get', '/api/dashboard/start'],
  currentUserKey,
];

/** Creates a zone, and lets every figure that counts zones be asked for anew. */
export function useCreateZone() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schema<'CreateZoneDto'>): Promise<Zone> => (await api.POST('/api/zones', { body })).data!,
    onSuccess: (zone) => {
      queries.setQueryData(['get', '/api/zones'], (zones: Zone[] | undefined) => zones && [zone, ...zones]);
      for (const queryKey of touched) void queries.invalidateQueries({ queryKey });
    },
  });
}

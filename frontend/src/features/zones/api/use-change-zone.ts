import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, type Schema } from '../../../shared/api/client';
import { currentUserKey } from '../../../shared/api/current-user';
import { inZone } from '../../../shared/api/use-zone';
import type { Zone } from '../sort-zones';

/** Everything that shows zones or counts them. */
const touched = [['get', '/api/zones'], ['get', '/api/shared-zones'], ['get', '/api/dashboard/stats'], currentUserKey];

/** Puts changed fields of a zone into every answer that shows it. */
export function patchZone(queries: QueryClient, id: number, change: Partial<Zone>): void {
  const patch = (zone: Zone) => (zone.id === id ? { ...zone, ...change } : zone);
  queries.setQueryData(['get', '/api/zones'], (zones: Zone[] | undefined) => zones?.map(patch));
  queries.setQueriesData({ queryKey: ['get', '/api/zones/{id}'] }, (zone: Zone | undefined) => zone && patch(zone));
}

/** Changes a zone's texts or who may join it; gives the zone as it stands then. */
export function useUpdateZone(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schema<'UpdateZoneDto'>): Promise<Zone> =>
      (await api.PATCH('/api/zones/{id}', { params: { path: inZone(id) }, body })).data!,
    onSuccess: (zone) => patchZone(queries, id, zone),
  });
}

/** Deletes a zone with everything in it, for good. */
export function useDeleteZone(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE('/api/zones/{id}', { params: { path: inZone(id) } }),
    onSuccess: () => {
      queries.setQueryData(['get', '/api/zones'], (zones: Zone[] | undefined) => zones?.filter((z) => z.id !== id));
      for (const queryKey of touched) void queries.invalidateQueries({ queryKey });
    },
  });
}

/**
 * Turns the viewer's star of a zone on or off. It is shown at once, and taken back when the server refuses. Clicks in
 * quick succession reach the server one after the other; the last answer stands.
 */
export function useToggleFavorite({ id, isFavorite }: Zone, onFailure: () => void) {
  const queries = useQueryClient();
  const mutationKey = ['favorite', id];
  return useMutation({
    mutationKey,
    scope: { id: `favorite-${id}` },
    mutationFn: async () => (await api.POST('/api/zones/{id}/toggle-favorite', { params: { path: inZone(id) } })).data!,
    onMutate: () => patchZone(queries, id, { isFavorite: !isFavorite }),
    onSuccess: (answer) => {
      if (queries.isMutating({ mutationKey }) === 1) patchZone(queries, id, answer);
    },
    onError: () => {
      patchZone(queries, id, { isFavorite });
      onFailure();
    },
  });
}

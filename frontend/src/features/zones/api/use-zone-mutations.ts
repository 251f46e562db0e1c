import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';
import type { Zone } from '../sort-zones';

/** Puts changed fields of a zone into every answer that shows it. */
export function patchCachedZone(queryClient: QueryClient, id: number, change: Partial<Zone>): void {
  const patch = (zone: Zone) => (zone.id === id ? { ...zone, ...change } : zone);
  queryClient.setQueryData(['get', '/api/zones'], (zones: Zone[] | undefined) => zones?.map(patch));
  queryClient.setQueriesData({ queryKey: ['get', '/api/zones/{id}'] }, (zone: Zone | undefined) => zone && patch(zone));
}

/** What the owner writes about a zone. */
export type ZoneChanges = Omit<Schema<'UpdateZoneDto'>, 'version'>;

/** Somebody changed meanwhile what was to be changed: nothing was saved, and a person has to choose. */
export class ZoneConflictError extends Error {
  constructor(readonly currentZone: Zone) {
    super('The zone was changed elsewhere.');
  }
}

/**
 * Changes a zone's texts or who may join it; gives the zone as it stands then. What others changed since `seen` stays as
 * they left it, as long as it is something else.
 * @throws ZoneConflictError when it is the same
 */
async function saveWithConflictRetry(baseZone: Zone, changes: ZoneChanges): Promise<Zone> {
  const path = zonePathParams(baseZone.id);
  const fields = Object.keys(changes) as (keyof ZoneChanges)[];
  const changedFields = Object.fromEntries(
    fields.filter((name) => changes[name] !== baseZone[name]).map((n) => [n, changes[n]]),
  );
  let { version } = baseZone;
  for (let retriesLeft = MAX_CONFLICT_RETRIES; ; retriesLeft--) {
    try {
      return (await api.PATCH('/api/zones/{id}', { params: { path }, body: { ...changedFields, version } })).data!;
    } catch (error) {
      if (!hasCode(error, 'ZONE_CHANGED') || retriesLeft === 0) throw error;
    }
    const currentZone = (await api.GET('/api/zones/{id}', { params: { path } })).data!;
    const hasConflict = (Object.keys(changedFields) as (keyof ZoneChanges)[]).some(
      (name) => currentZone[name] !== baseZone[name],
    );
    if (hasConflict) throw new ZoneConflictError(currentZone);
    ({ version } = currentZone);
  }
}

/** Where somebody else saves again and again, it is left to a person to try once more. */
const MAX_CONFLICT_RETRIES = 3;

/** Saves what was changed of a zone, as it was seen by who changed it. */
export function useUpdateZone() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ baseZone, changes }: { baseZone: Zone; changes: ZoneChanges }) =>
      saveWithConflictRetry(baseZone, changes),
    onSuccess: (zone) => {
      patchCachedZone(queryClient, zone.id, zone);
      void invalidate(queryClient, 'PATCH /api/zones/{id}');
    },
    onError: (error) => {
      if (error instanceof ZoneConflictError) patchCachedZone(queryClient, error.currentZone.id, error.currentZone);
    },
  });
}

/**
 * Deletes a zone with everything in it, for good. The server refuses one that purchases open (`ZONE_IN_USE`) until the
 * mutation is given true, once the owner has been warned.
 */
export function useDeleteZone(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (isConfirmed: boolean) =>
      api.DELETE('/api/zones/{id}', {
        params: { path: zonePathParams(id), query: isConfirmed ? { evenIfUsed: 'true' as const } : {} },
      }),
    onSuccess: () => {
      queryClient.setQueryData(['get', '/api/zones'], (zones: Zone[] | undefined) => zones?.filter((z) => z.id !== id));
      // What was in it may have stood anywhere, by mirrors and in searches.
      queryClient.removeQueries({ predicate: (query) => query.getObserversCount() === 0 });
      void invalidate(queryClient, 'DELETE /api/zones/{id}');
    },
  });
}

/**
 * Turns the viewer's star of a zone on or off. It is shown at once, and taken back when the server refuses. Clicks in
 * quick succession reach the server one after the other; the last answer stands.
 */
export function useToggleFavorite({ id, isFavorite }: Zone, onFailure: () => void) {
  const queryClient = useQueryClient();
  const mutationKey = ['favorite', id];
  return useMutation({
    mutationKey,
    scope: { id: `favorite-${id}` },
    mutationFn: async () =>
      (await api.POST('/api/zones/{id}/toggle-favorite', { params: { path: zonePathParams(id) } })).data!,
    onMutate: () => patchCachedZone(queryClient, id, { isFavorite: !isFavorite }),
    onSuccess: (response) => {
      if (queryClient.isMutating({ mutationKey }) === 1) patchCachedZone(queryClient, id, response);
    },
    onError: () => {
      patchCachedZone(queryClient, id, { isFavorite });
      onFailure();
    },
  });
}

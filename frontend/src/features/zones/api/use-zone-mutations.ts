import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { api, type Schema } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';
import type { Zone } from '../sort-zones';

/** Patches a zone in all cached responses that contain it. */
export function patchCachedZone(queryClient: QueryClient, id: number, change: Partial<Zone>): void {
  const patch = (zone: Zone) => (zone.id === id ? { ...zone, ...change } : zone);
  queryClient.setQueryData(['get', '/api/zones'], (zones: Zone[] | undefined) => zones?.map(patch));
  queryClient.setQueriesData({ queryKey: ['get', '/api/zones/{id}'] }, (zone: Zone | undefined) => zone && patch(zone));
}

/** The fields of a zone that the owner can change. */
export type ZoneChanges = Omit<Schema<'UpdateZoneDto'>, 'version'>;

/** Thrown if someone else changed the same fields in the meantime: nothing was saved, and the user must choose. */
export class ZoneConflictError extends Error {
  constructor(readonly currentZone: Zone) {
    super('The zone was changed elsewhere.');
  }
}

/**
 * Updates a zone's texts or join settings and returns the updated zone. Changes of other fields by others since
 * `baseZone` was loaded are kept: the save is retried with the new version.
 * @throws ZoneConflictError if others changed the same fields
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

/** If others keep saving at the same time, the user has to try again. */
const MAX_CONFLICT_RETRIES = 3;

/** Saves the changes of a zone, based on the version the user saw. */
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
 * Permanently deletes a zone with everything in it. If purchases grant access to the zone, the server rejects the
 * request (`ZONE_IN_USE`) until the mutation is called with true, after the owner was warned.
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
      // Its content may be cached anywhere, through mirrors and searches.
      queryClient.removeQueries({ predicate: (query) => query.getObserversCount() === 0 });
      void invalidate(queryClient, 'DELETE /api/zones/{id}');
    },
  });
}

/**
 * Adds a zone to the user's favourites or removes it, optimistically with rollback. Quick clicks are sent one after
 * another; the last response wins.
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

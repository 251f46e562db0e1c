import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { api, type Schema } from '../../../shared/api/client';
import { touch } from '../../../shared/api/touch';
import { inZone } from '../../../shared/api/use-zone';
import type { Zone } from '../sort-zones';

/** Puts changed fields of a zone into every answer that shows it. */
export function patchZone(queries: QueryClient, id: number, change: Partial<Zone>): void {
  const patch = (zone: Zone) => (zone.id === id ? { ...zone, ...change } : zone);
  queries.setQueryData(['get', '/api/zones'], (zones: Zone[] | undefined) => zones?.map(patch));
  queries.setQueriesData({ queryKey: ['get', '/api/zones/{id}'] }, (zone: Zone | undefined) => zone && patch(zone));
}

/** What the owner writes about a zone. */
export type ZoneWords = Omit<Schema<'UpdateZoneDto'>, 'version'>;

/** Somebody changed meanwhile what was to be changed: nothing was saved, and a person has to choose. */
export class ZoneClash extends Error {
  constructor(readonly now: Zone) {
    super('The zone was changed elsewhere.');
  }
}

/**
 * Changes a zone's texts or who may join it; gives the zone as it stands then. What others changed since `seen` stays as
 * they left it, as long as it is something else.
 * @throws ZoneClash when it is the same
 */
async function saveOver(seen: Zone, wanted: ZoneWords): Promise<Zone> {
  const path = inZone(seen.id);
  const fields = Object.keys(wanted) as (keyof ZoneWords)[];
  const changes = Object.fromEntries(fields.filter((name) => wanted[name] !== seen[name]).map((n) => [n, wanted[n]]));
  let { version } = seen;
  for (let left = tries; ; left--) {
    try {
      return (await api.PATCH('/api/zones/{id}', { params: { path }, body: { ...changes, version } })).data!;
    } catch (error) {
      if (!hasCode(error, 'ZONE_CHANGED') || left === 0) throw error;
    }
    const now = (await api.GET('/api/zones/{id}', { params: { path } })).data!;
    const clashes = (Object.keys(changes) as (keyof ZoneWords)[]).some((name) => now[name] !== seen[name]);
    if (clashes) throw new ZoneClash(now);
    ({ version } = now);
  }
}

/** Where somebody else saves again and again, it is left to a person to try once more. */
const tries = 3;

/** Saves what was changed of a zone, as it was seen by who changed it. */
export function useUpdateZone() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ seen, wanted }: { seen: Zone; wanted: ZoneWords }) => saveOver(seen, wanted),
    onSuccess: (zone) => {
      patchZone(queries, zone.id, zone);
      void touch(queries, 'PATCH /api/zones/{id}');
    },
    onError: (error) => {
      if (error instanceof ZoneClash) patchZone(queries, error.now.id, error.now);
    },
  });
}

/**
 * Deletes a zone with everything in it, for good. The server refuses one that purchases open (`ZONE_IN_USE`) until the
 * mutation is given true, once the owner has been warned.
 */
export function useDeleteZone(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (isWarned: boolean) =>
      api.DELETE('/api/zones/{id}', {
        params: { path: inZone(id), query: isWarned ? { evenIfUsed: 'true' as const } : {} },
      }),
    onSuccess: () => {
      queries.setQueryData(['get', '/api/zones'], (zones: Zone[] | undefined) => zones?.filter((z) => z.id !== id));
      // What was in it may have stood anywhere, by mirrors and in searches.
      queries.removeQueries({ predicate: (query) => query.getObserversCount() === 0 });
      void touch(queries, 'DELETE /api/zones/{id}');
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

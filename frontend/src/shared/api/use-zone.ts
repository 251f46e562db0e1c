import { $api } from './client';
import { freshness } from './query-client';

/** The path of everything under `/api/zones/{id}`. */
export const inZone = (id: number) => ({ id });

/** One zone as the signed-in person sees it. An id that cannot be one is not asked for. */
export function useZone(id: number) {
  const known = Number.isSafeInteger(id) && id > 0;
  return $api.useQuery(
    'get',
    '/api/zones/{id}',
    { params: { path: inZone(id) } },
    { staleTime: freshness.zone, enabled: known },
  );
}

/** The id in an address, or NaN when it is none. */
export function toId(text: string | undefined): number {
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : Number.NaN;
}

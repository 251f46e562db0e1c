import { $api } from './client';
import { staleTimes } from './query-client';

/** The path of everything under `/api/zones/{id}`. */
export const zonePathParams = (id: number) => ({ id });

/** One zone as the signed-in person sees it. An id that cannot be one is not asked for. */
export function useZone(id: number) {
  const isValidId = Number.isSafeInteger(id) && id > 0;
  return $api.useQuery(
    'get',
    '/api/zones/{id}',
    { params: { path: zonePathParams(id) } },
    { staleTime: staleTimes.zone, enabled: isValidId },
  );
}

/** The id in an address, or NaN when it is none. */
export function parseId(text: string | undefined): number {
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : Number.NaN;
}

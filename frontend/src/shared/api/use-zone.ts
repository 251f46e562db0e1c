import { $api } from './client';
import { staleTimes } from './query-client';

/** Path parameters of everything under `/api/zones/{id}`. */
export const zonePathParams = (id: number) => ({ id });

/** One zone as the signed-in user sees it. Sends no request for an invalid id. */
export function useZone(id: number) {
  const isValidId = Number.isSafeInteger(id) && id > 0;
  return $api.useQuery(
    'get',
    '/api/zones/{id}',
    { params: { path: zonePathParams(id) } },
    { staleTime: staleTimes.zone, enabled: isValidId },
  );
}

/** Returns the id in a URL, or NaN if it is invalid. */
export function parseId(text: string | undefined): number {
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : Number.NaN;
}

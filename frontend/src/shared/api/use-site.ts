import { $api } from './client';

/** What the public pages say of this installation; the same for as long as the page is open. */
export function useSite() {
  return $api.useQuery('get', '/api/site', {}, { staleTime: Infinity });
}

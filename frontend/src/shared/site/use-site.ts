import { $api, type Schema } from '../api/client';
import { given } from '../api/given';

export const siteKey = $api.queryOptions('get', '/api/site', {}).queryKey;

/** What the public pages say of this installation; the same for as long as the page is open. */
export function useSite() {
  const initialData = () => given<Schema<'SiteDto'>>('/api/site');
  return $api.useQuery('get', '/api/site', {}, { staleTime: Infinity, initialData });
}

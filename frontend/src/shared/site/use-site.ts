import type { QueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../api/client';
import { given } from '../api/given';

export const siteKey = $api.queryOptions('get', '/api/site', {}).queryKey;

type SiteResponse = Schema<'SiteDto'>;

/** Any part may be missing: the answer may be one that was kept on its way since before an upgrade. */
export type Site = { readonly [Part in keyof SiteResponse]?: PartialObject<SiteResponse[Part]> };
type PartialObject<Value> = Value extends object ? Partial<Value> : Value;

/**
 * Puts what holds since somebody has changed it in the place of what the browser has kept: for a minute its next pages would
 * tell what held before.
 */
export function refetchSite(queryClient: QueryClient): Promise<void> {
  const queryFn = async () => (await api.GET('/api/site', { cache: 'reload' })).data!;
  return queryClient.prefetchQuery({ queryKey: siteKey, queryFn, staleTime: 0 });
}

/** What the public pages say of this installation; the same for as long as the page is open. */
export function useSite() {
  const initialData = () => given<SiteResponse>('/api/site');
  const { data, error } = $api.useQuery('get', '/api/site', {}, { staleTime: Infinity, initialData });
  return { data: data as Site | undefined, error };
}

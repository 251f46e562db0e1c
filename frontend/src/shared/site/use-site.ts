import type { QueryClient } from '@tanstack/react-query';
import { $api, api, type Schema } from '../api/client';
import { preloadedResponse } from '../api/preloaded-response';

export const siteKey = $api.queryOptions('get', '/api/site', {}).queryKey;

type SiteResponse = Schema<'SiteDto'>;

/** Every part is optional, because an HTTP cache may hold a response from before an upgrade. */
export type Site = { readonly [Part in keyof SiteResponse]?: PartialObject<SiteResponse[Part]> };
type PartialObject<Value> = Value extends object ? Partial<Value> : Value;

/** Refetches the site past the browser's cache, which would otherwise serve the old response for a minute. */
export function refetchSite(queryClient: QueryClient): Promise<void> {
  const queryFn = async () => (await api.GET('/api/site', { cache: 'reload' })).data!;
  return queryClient.prefetchQuery({ queryKey: siteKey, queryFn, staleTime: 0 });
}

/** What public pages show about this installation; fetched once per page load. */
export function useSite() {
  const initialData = () => preloadedResponse<SiteResponse>('/api/site');
  const { data, error } = $api.useQuery('get', '/api/site', {}, { staleTime: Infinity, initialData });
  return { data: data as Site | undefined, error };
}

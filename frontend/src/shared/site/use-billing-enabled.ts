import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { $api, type Schema } from '../api/client';
import { preloadedResponse } from '../api/preloaded-response';
import { siteKey } from './use-site';

const PLANS_META_SELECTOR = 'meta[name="plans"]';

/** Written into the HTML by the server (`backend/src/platform/http/page/html-document-builder.ts`). */
const readMetaElement = (): boolean => document.querySelector<HTMLMetaElement>(PLANS_META_SELECTOR)?.content !== 'none';

const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Whether this installation offers plans. The HTML says so, which avoids a request and layout shifts; a newer server
 * response wins.
 */
export function useBillingEnabled(): boolean {
  const initialData = () => preloadedResponse<Schema<'SiteDto'>>('/api/site');
  const { data: site } = $api.useQuery('get', '/api/site', {}, { enabled: false, initialData });
  const isEnabledInDocument = useSyncExternalStore(subscribe, readMetaElement, readMetaElement);
  return site?.sells ?? isEnabledInDocument;
}

/** Applies a change of the setting that was made in this page. */
export function setBillingEnabled(queryClient: QueryClient, sells: boolean): void {
  document.querySelector(PLANS_META_SELECTOR)?.remove();
  if (!sells) {
    const metaElement = Object.assign(document.createElement('meta'), { name: 'plans', content: 'none' });
    document.head.append(metaElement);
  }
  listeners.forEach((listener) => listener());
  queryClient.setQueryData<Schema<'SiteDto'>>(siteKey, (site) => site && { ...site, sells });
}

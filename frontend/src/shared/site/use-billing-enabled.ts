import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { $api, type Schema } from '../api/client';
import { given } from '../api/given';
import { siteKey } from './use-site';

const PLANS_META_SELECTOR = 'meta[name="plans"]';

/** What the document says of it that the server has made (backend/src/platform/http/page/html-document-builder.ts). */
const readMetaElement = (): boolean => document.querySelector<HTMLMetaElement>(PLANS_META_SELECTOR)?.content !== 'none';

const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Whether plans are offered in this installation. Known at once from the document, so that nothing is asked for it and
 * nothing appears or goes later; what the server has said since then wins.
 */
export function useBillingEnabled(): boolean {
  const initialData = () => given<Schema<'SiteDto'>>('/api/site');
  const { data: site } = $api.useQuery('get', '/api/site', {}, { enabled: false, initialData });
  const isEnabledInDocument = useSyncExternalStore(subscribe, readMetaElement, readMetaElement);
  return site?.sells ?? isEnabledInDocument;
}

/** Takes it up after somebody has changed it in this page. */
export function setBillingEnabled(queryClient: QueryClient, sells: boolean): void {
  document.querySelector(PLANS_META_SELECTOR)?.remove();
  if (!sells) {
    const metaElement = Object.assign(document.createElement('meta'), { name: 'plans', content: 'none' });
    document.head.append(metaElement);
  }
  listeners.forEach((listener) => listener());
  queryClient.setQueryData<Schema<'SiteDto'>>(siteKey, (site) => site && { ...site, sells });
}

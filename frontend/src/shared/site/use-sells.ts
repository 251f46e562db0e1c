import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { $api, type Schema } from '../api/client';
import { given } from '../api/given';
import { siteKey } from './use-site';

const MARK = 'meta[name="plans"]';

/** What the document says of it that the server has made (backend/src/platform/http/page/html-document-builder.ts). */
const marked = (): boolean => document.querySelector<HTMLMetaElement>(MARK)?.content !== 'none';

const listeners = new Set<() => void>();
const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Whether plans are offered in this installation. Known at once from the document, so that nothing is asked for it and
 * nothing appears or goes later; what the server has said since then wins.
 */
export function useSells(): boolean {
  const initialData = () => given<Schema<'SiteDto'>>('/api/site');
  const { data: site } = $api.useQuery('get', '/api/site', {}, { enabled: false, initialData });
  const mark = useSyncExternalStore(listen, marked, marked);
  return site?.sells ?? mark;
}

/** Takes it up after somebody has changed it in this page. */
export function rememberSells(queries: QueryClient, sells: boolean): void {
  document.querySelector(MARK)?.remove();
  if (!sells) {
    const mark = Object.assign(document.createElement('meta'), { name: 'plans', content: 'none' });
    document.head.append(mark);
  }
  listeners.forEach((listener) => listener());
  queries.setQueryData<Schema<'SiteDto'>>(siteKey, (site) => site && { ...site, sells });
}

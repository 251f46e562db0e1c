import type { Language } from '../../shared/preferences/language';
import type auth from '../../features/auth/locales/en';
import type dashboard from '../../features/dashboard/locales/en';
import type landing from '../../features/landing/locales/en';
import type notFound from '../../features/not-found/locales/en';
import type common from './locales/en';

/** The texts of the page by namespace: `common` for all, one for each feature. */
export interface Namespaces {
  common: typeof common;
  auth: typeof auth;
  dashboard: typeof dashboard;
  landing: typeof landing;
  notFound: typeof notFound;
}

export type Namespace = keyof Namespaces;
type Load = () => Promise<{ default: object }>;

/** Where the texts of a namespace are, in every language; only the ones in use are loaded. */
export const namespaces: Record<Namespace, Record<Language, Load>> = {
  common: { en: () => import('./locales/en'), tr: () => import('./locales/tr') },
  auth: {
    en: () => import('../../features/auth/locales/en'),
    tr: () => import('../../features/auth/locales/tr'),
  },
  dashboard: {
    en: () => import('../../features/dashboard/locales/en'),
    tr: () => import('../../features/dashboard/locales/tr'),
  },
  landing: {
    en: () => import('../../features/landing/locales/en'),
    tr: () => import('../../features/landing/locales/tr'),
  },
  notFound: {
    en: () => import('../../features/not-found/locales/en'),
    tr: () => import('../../features/not-found/locales/tr'),
  },
};

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Namespaces;
  }
}

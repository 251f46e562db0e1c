import type { Language } from '../../shared/preferences/language';
import type billing from '../../features/billing/locales/en';
import type campaigns from '../../features/campaigns/locales/en';
import type auth from '../../features/auth/locales/en';
import type dashboard from '../../features/dashboard/locales/en';
import type files from '../../features/files/locales/en';
import type filesOverview from '../../features/files-overview/locales/en';
import type insights from '../../features/insights/locales/en';
import type invitations from '../../features/invitations/locales/en';
import type join from '../../features/join/locales/en';
import type landing from '../../features/landing/locales/en';
import type links from '../../features/links/locales/en';
import type members from '../../features/members/locales/en';
import type mirrors from '../../features/mirrors/locales/en';
import type notFound from '../../features/not-found/locales/en';
import type settings from '../../features/settings/locales/en';
import type sharedZones from '../../features/shared-zones/locales/en';
import type suggestions from '../../features/suggestions/locales/en';
import type unsubscribe from '../../features/unsubscribe/locales/en';
import type zones from '../../features/zones/locales/en';
import type admin from '../../admin/platform/locales/en';
import type integrations from '../../admin/integrations/locales/en';
import type account from '../../shared/account/locales/en';
import type browse from '../../shared/browse/locales/en';
import type palette from '../palette/locales/en';
import type common from './locales/en';

/** The texts of the page by namespace: `common` for all, `account` and `browse` for some, one for each feature. */
export interface Namespaces {
  common: typeof common;
  account: typeof account;
  browse: typeof browse;
  admin: typeof admin;
  auth: typeof auth;
  billing: typeof billing;
  campaigns: typeof campaigns;
  dashboard: typeof dashboard;
  files: typeof files;
  filesOverview: typeof filesOverview;
  integrations: typeof integrations;
  insights: typeof insights;
  invitations: typeof invitations;
  join: typeof join;
  landing: typeof landing;
  links: typeof links;
  members: typeof members;
  mirrors: typeof mirrors;
  notFound: typeof notFound;
  palette: typeof palette;
  /** Only react-admin reads these, by keys of its own. */
  reactAdmin: object;
  settings: typeof settings;
  sharedZones: typeof sharedZones;
  suggestions: typeof suggestions;
  unsubscribe: typeof unsubscribe;
  zones: typeof zones;
}

export type Namespace = keyof Namespaces;
type Load = () => Promise<{ default: object }>;

/** Where the texts of a namespace are, in every language; only the ones in use are loaded. */
export const namespaces: Record<Namespace, Record<Language, Load>> = {
  common: { en: () => import('./locales/en'), tr: () => import('./locales/tr') },
  account: {
    en: () => import('../../shared/account/locales/en'),
    tr: () => import('../../shared/account/locales/tr'),
  },
  browse: {
    en: () => import('../../shared/browse/locales/en'),
    tr: () => import('../../shared/browse/locales/tr'),
  },
  admin: {
    en: () => import('../../admin/platform/locales/en'),
    tr: () => import('../../admin/platform/locales/tr'),
  },
  auth: {
    en: () => import('../../features/auth/locales/en'),
    tr: () => import('../../features/auth/locales/tr'),
  },
  billing: {
    en: () => import('../../features/billing/locales/en'),
    tr: () => import('../../features/billing/locales/tr'),
  },
  campaigns: {
    en: () => import('../../features/campaigns/locales/en'),
    tr: () => import('../../features/campaigns/locales/tr'),
  },
  dashboard: {
    en: () => import('../../features/dashboard/locales/en'),
    tr: () => import('../../features/dashboard/locales/tr'),
  },
  files: {
    en: () => import('../../features/files/locales/en'),
    tr: () => import('../../features/files/locales/tr'),
  },
  filesOverview: {
    en: () => import('../../features/files-overview/locales/en'),
    tr: () => import('../../features/files-overview/locales/tr'),
  },
  integrations: {
    en: () => import('../../admin/integrations/locales/en'),
    tr: () => import('../../admin/integrations/locales/tr'),
  },
  insights: {
    en: () => import('../../features/insights/locales/en'),
    tr: () => import('../../features/insights/locales/tr'),
  },
  invitations: {
    en: () => import('../../features/invitations/locales/en'),
    tr: () => import('../../features/invitations/locales/tr'),
  },
  join: {
    en: () => import('../../features/join/locales/en'),
    tr: () => import('../../features/join/locales/tr'),
  },
  landing: {
    en: () => import('../../features/landing/locales/en'),
    tr: () => import('../../features/landing/locales/tr'),
  },
  links: {
    en: () => import('../../features/links/locales/en'),
    tr: () => import('../../features/links/locales/tr'),
  },
  members: {
    en: () => import('../../features/members/locales/en'),
    tr: () => import('../../features/members/locales/tr'),
  },
  mirrors: {
    en: () => import('../../features/mirrors/locales/en'),
    tr: () => import('../../features/mirrors/locales/tr'),
  },
  notFound: {
    en: () => import('../../features/not-found/locales/en'),
    tr: () => import('../../features/not-found/locales/tr'),
  },
  palette: {
    en: () => import('../palette/locales/en'),
    tr: () => import('../palette/locales/tr'),
  },
  reactAdmin: {
    en: () => import('../../admin/locales/en'),
    tr: () => import('../../admin/locales/tr'),
  },
  settings: {
    en: () => import('../../features/settings/locales/en'),
    tr: () => import('../../features/settings/locales/tr'),
  },
  sharedZones: {
    en: () => import('../../features/shared-zones/locales/en'),
    tr: () => import('../../features/shared-zones/locales/tr'),
  },
  suggestions: {
    en: () => import('../../features/suggestions/locales/en'),
    tr: () => import('../../features/suggestions/locales/tr'),
  },
  unsubscribe: {
    en: () => import('../../features/unsubscribe/locales/en'),
    tr: () => import('../../features/unsubscribe/locales/tr'),
  },
  zones: {
    en: () => import('../../features/zones/locales/en'),
    tr: () => import('../../features/zones/locales/tr'),
  },
};

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Namespaces;
  }
}

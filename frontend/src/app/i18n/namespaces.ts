import type { Language } from '../../shared/preferences/language';
import type billing from '../../features/billing/locales/en';
import type campaigns from '../../features/campaigns/locales/en';
import type auth from '../../features/auth/locales/en';
import type dashboard from '../../features/dashboard/locales/en';
import type files from '../../features/files/locales/en';
import type filesOverview from '../../features/files/overview/locales/en';
import type insights from '../../features/insights/locales/en';
import type acceptInvitation from '../../features/invitations/locales/accept-en';
import type invitations from '../../features/invitations/locales/en';
import type join from '../../features/join/locales/en';
import type landing from '../../features/landing/locales/en';
import type links from '../../features/links/locales/en';
import type members from '../../features/members/locales/en';
import type mirrors from '../../features/mirrors/locales/en';
import type notFound from '../../features/not-found/locales/en';
import type privacy from '../../features/privacy/locales/en';
import type reader from '../../features/reader/locales/en';
import type settings from '../../features/settings/locales/en';
import type setup from '../../features/auth/setup/locales/en';
import type sharedItem from '../../features/shared-item/locales/en';
import type sharedZones from '../../features/shared-zones/locales/en';
import type suggestions from '../../features/suggestions/locales/en';
import type unsubscribe from '../../features/unsubscribe/locales/en';
import type zones from '../../features/zones/locales/en';
import type admin from '../../admin/platform/locales/en';
import type integrations from '../../admin/integrations/locales/en';
import type account from '../../shared/account/locales/en';
import type verification from '../../shared/reauthentication/locales/en';
import type installation from '../../shared/installation/locales/en';
import type browse from '../../shared/browse/locales/en';
import type newZone from '../../shared/zone/locales/en';
import type palette from '../palette/locales/en';
import type common from './locales/en';

/** Texts by namespace: `common` for all pages, `account` and `browse` for some, one for each feature. */
export interface Namespaces {
  common: typeof common;
  acceptInvitation: typeof acceptInvitation;
  account: typeof account;
  browse: typeof browse;
  admin: typeof admin;
  auth: typeof auth;
  billing: typeof billing;
  campaigns: typeof campaigns;
  dashboard: typeof dashboard;
  files: typeof files;
  filesOverview: typeof filesOverview;
  verification: typeof verification;
  installation: typeof installation;
  integrations: typeof integrations;
  insights: typeof insights;
  invitations: typeof invitations;
  join: typeof join;
  landing: typeof landing;
  links: typeof links;
  members: typeof members;
  mirrors: typeof mirrors;
  newZone: typeof newZone;
  notFound: typeof notFound;
  palette: typeof palette;
  privacy: typeof privacy;
  /** Read only by react-admin, with its own keys. */
  reactAdmin: object;
  reader: typeof reader;
  settings: typeof settings;
  setup: typeof setup;
  sharedItem: typeof sharedItem;
  sharedZones: typeof sharedZones;
  suggestions: typeof suggestions;
  unsubscribe: typeof unsubscribe;
  zones: typeof zones;
}

export type Namespace = keyof Namespaces;
type LoadTexts = () => Promise<{ default: object }>;

type AppTexts = typeof import('./bundles/en');
type AdminTexts = typeof import('./bundles/admin-en');
type AuthTexts = typeof import('./bundles/auth-en');
type ManageTexts = typeof import('./bundles/manage-en');

const appNamespace = (name: keyof AppTexts): Record<Language, LoadTexts> => ({
  en: async () => ({ default: (await import('./bundles/en'))[name] }),
  tr: async () => ({ default: (await import('./bundles/tr'))[name] }),
});
const adminNamespace = (name: keyof AdminTexts): Record<Language, LoadTexts> => ({
  en: async () => ({ default: (await import('./bundles/admin-en'))[name] }),
  tr: async () => ({ default: (await import('./bundles/admin-tr'))[name] }),
});
const authNamespace = (name: keyof AuthTexts): Record<Language, LoadTexts> => ({
  en: async () => ({ default: (await import('./bundles/auth-en'))[name] }),
  tr: async () => ({ default: (await import('./bundles/auth-tr'))[name] }),
});
const manageNamespace = (name: keyof ManageTexts): Record<Language, LoadTexts> => ({
  en: async () => ({ default: (await import('./bundles/manage-en'))[name] }),
  tr: async () => ({ default: (await import('./bundles/manage-tr'))[name] }),
});

/** Modules of each namespace in every language; only those in use are loaded. */
export const namespaces: Record<Namespace, Record<Language, LoadTexts>> = {
  common: { en: () => import('./locales/en'), tr: () => import('./locales/tr') },
  acceptInvitation: {
    en: () => import('../../features/invitations/locales/accept-en'),
    tr: () => import('../../features/invitations/locales/accept-tr'),
  },
  account: authNamespace('account'),
  browse: appNamespace('browse'),
  admin: adminNamespace('admin'),
  auth: authNamespace('auth'),
  billing: {
    en: () => import('../../features/billing/locales/en'),
    tr: () => import('../../features/billing/locales/tr'),
  },
  campaigns: manageNamespace('campaigns'),
  dashboard: appNamespace('dashboard'),
  files: appNamespace('files'),
  filesOverview: appNamespace('filesOverview'),
  verification: authNamespace('verification'),
  installation: {
    en: () => import('../../shared/installation/locales/en'),
    tr: () => import('../../shared/installation/locales/tr'),
  },
  integrations: adminNamespace('integrations'),
  insights: appNamespace('insights'),
  invitations: appNamespace('invitations'),
  join: {
    en: () => import('../../features/join/locales/en'),
    tr: () => import('../../features/join/locales/tr'),
  },
  landing: {
    en: () => import('../../features/landing/locales/en'),
    tr: () => import('../../features/landing/locales/tr'),
  },
  links: appNamespace('links'),
  members: manageNamespace('members'),
  mirrors: manageNamespace('mirrors'),
  newZone: appNamespace('newZone'),
  notFound: {
    en: () => import('../../features/not-found/locales/en'),
    tr: () => import('../../features/not-found/locales/tr'),
  },
  palette: appNamespace('palette'),
  privacy: {
    en: () => import('../../features/privacy/locales/en'),
    tr: () => import('../../features/privacy/locales/tr'),
  },
  reactAdmin: adminNamespace('reactAdmin'),
  // Opening a document by its URL needs no texts of other pages.
  reader: {
    en: () => import('../../features/reader/locales/en'),
    tr: () => import('../../features/reader/locales/tr'),
  },
  settings: manageNamespace('settings'),
  setup: {
    en: () => import('../../features/auth/setup/locales/en'),
    tr: () => import('../../features/auth/setup/locales/tr'),
  },
  sharedItem: {
    en: () => import('../../features/shared-item/locales/en'),
    tr: () => import('../../features/shared-item/locales/tr'),
  },
  sharedZones: appNamespace('sharedZones'),
  suggestions: manageNamespace('suggestions'),
  unsubscribe: {
    en: () => import('../../features/unsubscribe/locales/en'),
    tr: () => import('../../features/unsubscribe/locales/tr'),
  },
  zones: appNamespace('zones'),
};

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Namespaces;
  }
}

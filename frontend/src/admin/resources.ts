import type { paths } from '../shared/api/schema';

type PathsWithMethod<Method extends 'get' | 'post' | 'delete'> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, object> ? Path : never;
}[keyof paths];

/** Endpoints behind a react-admin resource; operations without one aren't available. */
export interface ResourceEndpoints {
  list: PathsWithMethod<'get'>;
  create?: PathsWithMethod<'post'>;
  /** Ends in `{id}`, like the ones below. */
  read?: PathsWithMethod<'get'>;
  remove?: PathsWithMethod<'delete'>;
  /** Streams the filtered list as CSV. */
  export?: Extract<PathsWithMethod<'get'>, `${string}/export`>;
  /** Page of the list, if its records have addresses: `/{id}` below the page. */
  page?: `/${string}`;
}

const endpoints = {
  'product-mappings': {
    list: '/api/woocommerce/product-mappings',
    create: '/api/woocommerce/product-mappings',
    remove: '/api/woocommerce/product-mappings/{id}',
  },
  'mappable-zones': { list: '/api/woocommerce/zones' },
  'woocommerce-logs': {
    list: '/api/woocommerce/webhook-logs',
    read: '/api/woocommerce/webhook-logs/{id}',
    page: '/woocommerce-admin/webhook-logs',
  },
  'acedumy-logs': {
    list: '/api/acedumy/webhook-logs',
    read: '/api/acedumy/webhook-logs/{id}',
    page: '/acedumy-admin/webhook-logs',
  },
  users: {
    list: '/api/admin/users',
    read: '/api/admin/users/{id}',
    export: '/api/admin/users/export',
    page: '/admin/users',
  },
  zones: { list: '/api/admin/zones', remove: '/api/admin/zones/{id}', export: '/api/admin/zones/export' },
  activity: { list: '/api/admin/activity', export: '/api/admin/activity/export' },
  'audit-log': {
    list: '/api/admin/audit-log',
    read: '/api/admin/audit-log/{id}',
    export: '/api/admin/audit-log/export',
    page: '/admin/audit-log',
  },
  'security-events': { list: '/api/admin/security/events' },
  jobs: {
    list: '/api/admin/jobs',
    read: '/api/admin/jobs/{id}',
    remove: '/api/admin/jobs/{id}',
    export: '/api/admin/jobs/export',
    page: '/admin/jobs',
  },
  'clock-jobs': { list: '/api/admin/clock-jobs' },
  'stripe-events': { list: '/api/admin/billing/events' },
  suppressions: {
    list: '/api/admin/suppressions',
    remove: '/api/admin/suppressions/{id}',
    export: '/api/admin/suppressions/export',
  },
  suggestions: {
    list: '/api/admin/feature-suggestions',
    remove: '/api/feature-suggestions/{id}',
    export: '/api/admin/feature-suggestions/export',
  },
  'stripe-acedumy-logs': {
    list: '/api/stripe-acedumy/webhook-logs',
    read: '/api/stripe-acedumy/webhook-logs/{id}',
    page: '/stripe-acedumy-admin/webhook-logs',
  },
} satisfies Record<string, ResourceEndpoints>;

export type ResourceName = keyof typeof endpoints;

/** Every resource of the admin screens. */
export const resources: Record<ResourceName, ResourceEndpoints> = endpoints;

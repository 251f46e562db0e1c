import type { paths } from '../shared/api/schema';

type PathsWithMethod<Method extends 'get' | 'post' | 'delete'> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, object> ? Path : never;
}[keyof paths];

/** Endpoints behind a react-admin resource; operations without one aren't available. */
export interface ResourceEndpoints {
  list: PathsWithMethod<'get'>;
  /** Ends in `{id}`, like the one below. */
  read?: PathsWithMethod<'get'>;
  create?: PathsWithMethod<'post'>;
  remove?: PathsWithMethod<'delete'>;
}

/** Every resource of the admin screens. */
export const resources = {
  'product-mappings': {
    list: '/api/woocommerce/product-mappings',
    create: '/api/woocommerce/product-mappings',
    remove: '/api/woocommerce/product-mappings/{id}',
  },
  'mappable-zones': { list: '/api/woocommerce/zones' },
  'woocommerce-logs': { list: '/api/woocommerce/webhook-logs', read: '/api/woocommerce/webhook-logs/{id}' },
  'acedumy-logs': { list: '/api/acedumy/webhook-logs', read: '/api/acedumy/webhook-logs/{id}' },
  users: { list: '/api/admin/users', read: '/api/admin/users/{id}' },
  zones: { list: '/api/admin/zones', remove: '/api/admin/zones/{id}' },
  activity: { list: '/api/admin/activity' },
  'audit-log': { list: '/api/admin/audit-log' },
  'security-events': { list: '/api/admin/security/events' },
  jobs: { list: '/api/admin/jobs', remove: '/api/admin/jobs/{id}' },
  'clock-jobs': { list: '/api/admin/clock-jobs' },
  'stripe-events': { list: '/api/admin/billing/events' },
  suppressions: { list: '/api/admin/suppressions', remove: '/api/admin/suppressions/{id}' },
  suggestions: { list: '/api/admin/feature-suggestions', remove: '/api/feature-suggestions/{id}' },
  'stripe-acedumy-logs': { list: '/api/stripe-acedumy/webhook-logs', read: '/api/stripe-acedumy/webhook-logs/{id}' },
} satisfies Record<string, ResourceEndpoints>;

export type ResourceName = keyof typeof resources;

/**
 * The first API requests of each route, exactly as its page sends them. They are sent in parallel with the page's code.
 * A missing entry makes the page slower, an extra entry costs one unused request. Requests that not every user of the
 * page may send are left out.
 */
export const routePrefetches: {
  /** For every page: the current user. */
  readonly always: readonly string[];
  readonly signedIn: readonly string[];
  readonly signedOut: readonly string[];
  /** By route path; `:zoneId` is replaced by that segment of the page's URL. */
  readonly pages: Readonly<Record<string, readonly string[]>>;
  /** Replace those of `pages` if this browser remembers that `/` was the member home (`zonary.reads`). */
  readonly memberHome: Readonly<Record<string, readonly string[]>>;
} = {
  always: ['/api/session'],
  signedIn: ['/api/subscription-status', '/api/user/usage'],
  signedOut: ['/api/site'],
  pages: {
    '/': ['/api/zones', '/api/dashboard/start', '/api/dashboard/attention'],
    '/dashboard': ['/api/zones', '/api/dashboard/start', '/api/dashboard/attention'],
    '/zones': ['/api/zones'],
    '/zones/:zoneId': [
      '/api/zones/:zoneId',
      '/api/zones/:zoneId/folders?order=asc&limit=1000',
      '/api/zones/:zoneId/files?sort=name&order=asc&limit=500',
    ],
    '/zones/:zoneId/folders/:folderId': [
      '/api/zones/:zoneId',
      '/api/folders/:folderId',
      '/api/zones/:zoneId/folders?parentId=:folderId&order=asc&limit=1000',
      '/api/zones/:zoneId/files?folderId=:folderId&sort=name&order=asc&limit=500',
    ],
    '/zones/:zoneId/files/:fileId': ['/api/files/:fileId', '/api/files/:fileId/pages'],
    '/zones/:zoneId/trash': ['/api/zones/:zoneId'],
    '/zones/:zoneId/members': ['/api/zones/:zoneId'],
    '/zones/:zoneId/share': ['/api/zones/:zoneId', '/api/zones'],
    '/zones/:zoneId/campaigns': ['/api/zones/:zoneId'],
    '/zones/:zoneId/settings': ['/api/zones/:zoneId'],
    '/zones/:zoneId/visitor': ['/api/zones/:zoneId/visitor-preview'],
    '/files': ['/api/zones', '/api/dashboard/stats'],
    '/members': ['/api/members'],
    '/campaigns': ['/api/campaigns', '/api/user/email-quota'],
    '/email-campaigns': ['/api/campaigns', '/api/user/email-quota'],
    '/shared-zones': ['/api/shared-zones'],
    '/feature-suggestions': ['/api/feature-suggestions?sort=votes'],
    '/pricing': ['/api/plans'],
    '/terms': ['/api/site/legal/terms'],
    '/imprint': ['/api/site/legal/imprint'],
    '/join/:publicLink': ['/api/public-zones/:publicLink'],
    '/zone/temp/:token': ['/api/temporary-links/:token'],
    '/invite/:token': ['/api/invite/:token'],
  },
  memberHome: { '/': ['/api/home'] },
};

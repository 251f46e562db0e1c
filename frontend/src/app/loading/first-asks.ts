/**
 * What pages ask the API for first, exactly as they do: it is asked for together with their program instead of after it.
 * A line too few makes a page slower, one too many asks for nothing's sake; neither changes what is shown. What only some
 * may ask for is left out.
 */
export const firstAsks: {
  /** Of every page: who is signed in. */
  readonly always: readonly string[];
  readonly signedIn: readonly string[];
  readonly signedOut: readonly string[];
  /** By the path of the route; `:zoneId` is that part of the page's address. */
  readonly pages: Readonly<Record<string, readonly string[]>>;
  /** In the place of those where the first page is a reader's, as this browser remembers (`reads`). */
  readonly readers: Readonly<Record<string, readonly string[]>>;
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
  readers: { '/': ['/api/home'] },
};

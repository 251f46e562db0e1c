import type { QueryClient } from '@tanstack/react-query';

/** Everything that shows or counts files and folders. */
const touched = [
  '/api/zones/{id}/files',
  '/api/zones/{id}/folders',
  '/api/zones/{id}/trash',
  '/api/zones/{id}/search',
  '/api/search',
  '/api/folders/{id}',
  '/api/zones',
  '/api/zones/{id}',
  '/api/shared-zones',
  '/api/dashboard/stats',
  '/api/dashboard/start',
  '/api/user/usage',
  '/api/dashboard/activity',
] as const;

/** Lets whatever shows or counts files be asked for anew: what is on the screen at once, the rest when it is shown. */
export function refreshFiles(queries: QueryClient): Promise<unknown> {
  return Promise.all(touched.map((path) => queries.invalidateQueries({ queryKey: ['get', path] })));
}

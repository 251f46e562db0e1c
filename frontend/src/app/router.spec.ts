import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matchRoutes, type RouteObject } from 'react-router';
import { createPattern, parsePageRoutes } from '../../vite/page-routes';
import type { PageHandle } from './loading/page-route';
import * as pages from './pages';
import { routes } from './router';

/** The paths the router really has. */
function collectPaths(list: RouteObject[], parentPath = ''): string[] {
  return list.flatMap(({ path, children = [] }) => {
    const fullPath = path === undefined ? parentPath : join('/', parentPath, path);
    return [...(path === undefined || path === '*' ? [] : [fullPath]), ...collectPaths(children, fullPath)];
  });
}

const extractedRoutes = parsePageRoutes(readFileSync(join(import.meta.dirname, 'router.tsx'), 'utf8'));

describe('Pages reported to the server', () => {
  it('have the paths of the router', () => {
    const extractedPaths = extractedRoutes.map(({ path }) => path);
    expect(extractedPaths.sort()).toEqual([...new Set(collectPaths(routes))].sort());
    expect(extractedPaths).toContain('/zones/:zoneId/folders/:folderId');
  });

  it('have the code and the first requests of the router', () => {
    for (const { path, pages: names, requests, memberHomeRequests } of extractedRoutes) {
      const handles = (matchRoutes(routes, path) ?? []).flatMap(({ route }) => (route.handle as PageHandle) ?? []);
      expect({
        path,
        preloads: names.map((name) => pages[name as keyof typeof pages].preload),
        requests,
        memberHomeRequests,
      }).toEqual({
        path,
        preloads: handles.map(({ preload }) => preload),
        requests: handles.flatMap((handle) => handle.requests),
        memberHomeRequests: handles.at(-1)?.memberHomeRequests,
      });
    }
  });

  it.each([
    ['/', ['/', ''], ['/x']],
    ['/zones/:zoneId', ['/zones/7', '/zones/7/'], ['/zones', '/zones/7/x']],
    ['/admin/:tab?/:id?', ['/admin', '/admin/logs', '/admin/logs/1'], ['/admin/logs/1/2', '/administrator']],
    ['/a.b/*', ['/a.b', '/a.b/c/d'], ['/aXb', '/a.bc']],
  ])('matches the intended URLs with %s', (path, matching, nonMatching) => {
    const pattern = new RegExp(createPattern(path), 'i');
    for (const address of matching) expect([address, pattern.test(address)]).toEqual([address, true]);
    for (const address of nonMatching) expect([address, pattern.test(address)]).toEqual([address, false]);
  });
});

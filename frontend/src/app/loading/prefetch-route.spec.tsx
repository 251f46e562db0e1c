import { mockApi } from '../../../test/api';
import { clearPrefetchCache } from '../../shared/api/prefetch-cache';
import { prefetchRoute, prefetchLinks, preloadRoute } from './prefetch-route';
import { lazyPage } from './lazy-page';
import { page } from './page-route';

function setUp() {
  const loaded: string[] = [];
  const createPage = (name: string) =>
    lazyPage(() => {
      loaded.push(name);
      return Promise.resolve(() => null);
    }, []);
  const [Zone, Files, Admin] = [createPage('zone'), createPage('files'), createPage('admin')];
  const routes = [
    {
      path: '/zones/:zoneId',
      ...page(<Zone />, ['/api/zones/:zoneId']),
      children: [
        { index: true, ...page(<Files />, ['/api/zones/:zoneId/files?sort=name']) },
        { path: 'folders/:folderId', ...page(<Files />, ['/api/zones/:zoneId/files?folderId=:folderId']) },
      ],
    },
    { path: '/admin', element: <Admin /> },
  ];
  const server = mockApi({});
  return { routes, loaded, requests: () => server.calls.map(({ route, query }) => `${route}?${query}`) };
}

const flushPromises = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(clearPrefetchCache);

describe('Route prefetching', () => {
  it('loads the modules, including nested ones, and the first API requests', async () => {
    const { routes, loaded, requests } = setUp();
    prefetchRoute(routes, '/zones/7/folders/8');
    await flushPromises();
    expect(loaded).toEqual(['zone', 'files']);
    expect(requests()).toEqual(['GET /api/zones/7?', 'GET /api/zones/7/files?folderId=8']);
  });

  it('preloads only the modules on request and nothing for routes without a page or unknown ones', async () => {
    const { routes, loaded, requests } = setUp();
    await preloadRoute(routes, '/zones/7');
    prefetchRoute(routes, '/admin');
    prefetchRoute(routes, '/nowhere');
    await flushPromises();
    expect(loaded).toEqual(['zone', 'files']);
    expect(requests()).toEqual([]);
  });

  it('starts when a link is hovered for a moment, not when the pointer only passes over it', async () => {
    jest.useFakeTimers();
    const { routes, loaded } = setUp();
    document.body.innerHTML =
      '<a href="/zones/7"><b>Zone</b></a><p>Text</p><a href="/zones/8" target="_blank">New tab</a>';
    const [link, newTabLink] = document.querySelectorAll('a');
    const hover = (at: Element) => at.dispatchEvent(new Event('pointerover', { bubbles: true }));
    const stop = prefetchLinks(routes);
    hover(link!.firstElementChild!);
    hover(document.querySelector('p')!);
    hover(newTabLink!);
    jest.advanceTimersByTime(1000);
    expect(loaded).toEqual([]);
    hover(link!.firstElementChild!);
    jest.advanceTimersByTime(65);
    expect(loaded).toHaveLength(2);
    stop();
    jest.useRealTimers();
  });
});

import { mockApi } from '../../../test/api';
import { clearPrefetchCache } from '../../shared/api/prefetch-cache';
import { goAhead, goAheadOfLinks, preload } from './go-ahead';
import { lazyPage } from './lazy-page';

function setUp() {
  const loaded: string[] = [];
  const page = (name: string) =>
    lazyPage(() => {
      loaded.push(name);
      return Promise.resolve(() => null);
    }, []);
  const [Zone, Files, Invite] = [page('zone'), page('files'), page('invite')];
  const ZoneWithAction = Zone as unknown as React.ComponentType<{ action: React.ReactNode }>;
  const routes = [
    {
      path: '/zones/:zoneId',
      element: <ZoneWithAction action={<Invite />} />,
      children: [{ index: true, element: <Files /> }],
    },
  ];
  const server = mockApi({});
  return { routes, loaded, requests: () => server.calls.map(({ route }) => route) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(clearPrefetchCache);

describe('Route prefetching', () => {
  it('loads the modules, including nested ones, and the first API requests', async () => {
    const { routes, loaded, requests } = setUp();
    goAhead(routes, '/zones/7');
    await settled();
    expect(loaded.sort()).toEqual(['files', 'invite', 'zone']);
    expect(requests()).toEqual(['GET /api/zones/7', 'GET /api/zones/7/folders', 'GET /api/zones/7/files']);
  });

  it('preloads only the modules on request and nothing for unknown routes', async () => {
    const { routes, loaded, requests } = setUp();
    await preload(routes, '/zones/7');
    goAhead(routes, '/nowhere');
    await settled();
    expect(loaded).toHaveLength(3);
    expect(requests()).toEqual([]);
  });

  it('starts when a link is hovered for a moment, not when passed over', async () => {
    jest.useFakeTimers();
    const { routes, loaded } = setUp();
    document.body.innerHTML =
      '<a href="/zones/7"><b>Zone</b></a><p>Text</p><a href="/zones/8" target="_blank">Aside</a>';
    const [link, aside] = document.querySelectorAll('a');
    const point = (at: Element) => at.dispatchEvent(new Event('pointerover', { bubbles: true }));
    const stop = goAheadOfLinks(routes);
    point(link!.firstElementChild!);
    point(document.querySelector('p')!);
    point(aside!);
    jest.advanceTimersByTime(1000);
    expect(loaded).toEqual([]);
    point(link!.firstElementChild!);
    jest.advanceTimersByTime(65);
    expect(loaded).toHaveLength(3);
    stop();
    jest.useRealTimers();
  });
});

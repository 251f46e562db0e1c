import { mockApi } from '../../../test/api';
import { prefetchRequest, fetchWithPrefetch, clearPrefetchCache } from './prefetch-cache';
import { api } from './client';
import { createQueryClient } from './query-client';

const zones = 'GET /api/zones';
const getZones = async () =>
  (await fetchWithPrefetch(new Request(`${location.origin}/api/zones`))).json() as Promise<unknown>;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setTimeout'] });
  document.documentElement.lang = 'en';
  clearPrefetchCache();
});
afterEach(() => jest.useRealTimers());

describe('Prefetch cache', () => {
  it('uses a response only once, for the first matching request', async () => {
    const server = mockApi({ [zones]: [200, ['a zone']] });
    prefetchRequest('/api/zones');
    expect(await getZones()).toEqual(['a zone']);
    expect(server.callsTo(zones)).toHaveLength(1);
    await getZones();
    expect(server.callsTo(zones)).toHaveLength(2);
  });

  it('sends no second request while one is pending or shortly after it was used', async () => {
    const server = mockApi({ [zones]: [200, []] });
    prefetchRequest('/api/zones');
    prefetchRequest('/api/zones');
    await getZones();
    prefetchRequest('/api/zones');
    expect(server.callsTo(zones)).toHaveLength(1);
    jest.advanceTimersByTime(30_001);
    prefetchRequest('/api/zones');
    await getZones();
    expect(server.callsTo(zones)).toHaveLength(2);
  });

  it.each([
    ['is out of date', () => jest.advanceTimersByTime(10_001)],
    ['is in another language', () => (document.documentElement.lang = 'tr')],
    [
      'may have been changed since',
      () => fetchWithPrefetch(new Request(`${location.origin}/api/zones`, { method: 'POST' })),
    ],
    ['was invalidated', () => createQueryClientThatInvalidates()],
  ])('requests again when the response %s', async (_reason, invalidate) => {
    const server = mockApi({ [zones]: [200, []], 'POST /api/zones': [200, {}] });
    prefetchRequest('/api/zones');
    await invalidate();
    await getZones();
    expect(server.callsTo(zones)).toHaveLength(2);
  });

  it('requests again when the prefetch failed', async () => {
    const server = mockApi({ [zones]: [200, ['a zone']] });
    jest.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('Failed to fetch'));
    prefetchRequest('/api/zones');
    expect(await getZones()).toEqual(['a zone']);
    expect(server.callsTo(zones)).toHaveLength(1);
  });

  it('reads the body of a response that nothing uses, which frees its connection', async () => {
    const readBody = jest.fn(async () => new ArrayBuffer(0));
    const response = Object.assign(new Response(), { arrayBuffer: readBody });
    jest.spyOn(globalThis, 'fetch').mockImplementationOnce(async () => response);
    prefetchRequest('/api/zones');
    await new Promise((done) => setTimeout(done));
    expect(readBody).toHaveBeenCalledTimes(1);
  });

  it('serves the API client', async () => {
    const server = mockApi({ [zones]: [200, []] });
    prefetchRequest('/api/zones');
    expect((await api.GET('/api/zones')).data).toEqual([]);
    expect(server.callsTo(zones)).toHaveLength(1);
  });
});

function createQueryClientThatInvalidates() {
  const queries = createQueryClient();
  queries.setQueryData(['get', '/api/zones'], []);
  return queries.invalidateQueries();
}

import { notSignedInResponse, mockApi, errorResponse, makeUser } from '../../../test/api';
import { ApiError, NETWORK_ERROR } from './api-error';
import { api } from './client';
import { PROXY_BODY_LIMIT, proxyBodyLimit } from './proxy-body-limit';
import { currentUserKey, currentUserQuery, fetchCurrentUser } from './current-user';
import { createQueryClient } from './query-client';
import { loadNewSession } from './session';

const getError = (promise: Promise<unknown>) =>
  promise.then(
    () => Promise.reject(new Error('It should have failed.')),
    (error: unknown) => error as ApiError,
  );

describe('API client', () => {
  it('returns the response data', async () => {
    mockApi({ 'GET /api/user': [200, makeUser()] });
    expect((await api.GET('/api/user')).data?.email).toBe('deniz@example.org');
  });

  it('throws an ApiError with all details of the response', async () => {
    const more = { errors: { email: ['Invalid email'] }, planLimit: true, limit: 'zones', used: 1, allowed: 1 };
    mockApi({ 'POST /api/login': errorResponse(403, 'PLAN_LIMIT', 'Too many zones', more) });
    const error = await getError(api.POST('/api/login', { body: { email: 'a@b.co', password: 'secret' } }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 403,
      code: 'PLAN_LIMIT',
      message: 'Too many zones',
      requestId: 'req-1',
      ...more,
    });
  });

  it('throws an ApiError for an error without a body', async () => {
    mockApi({ 'POST /api/logout': [500] });
    const error = await getError(api.POST('/api/logout'));
    expect(error).toMatchObject({ status: 500, code: 'HTTP_500', message: '', errors: {}, requestId: 'req-1' });
  });

  it('throws an ApiError for an error that is not JSON', async () => {
    globalThis.fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
    expect(await getError(api.POST('/api/logout'))).toMatchObject({ status: 502, code: 'HTTP_502', message: '' });
  });

  it('distinguishes a proxy’s 413 from the server’s own and learns its limit', async () => {
    globalThis.fetch = async () => new Response('<h1>413 Request Entity Too Large</h1>', { status: 413 });
    const body = { email: 'a@b.co', password: 'x'.repeat(2 ** 21) };
    const error = await getError(api.POST('/api/login', { body }));
    expect(error).toMatchObject({ status: 413, code: PROXY_BODY_LIMIT, message: '', body: { smaller: true } });
    expect(proxyBodyLimit.chunkSize).toBe(2 ** 20);
    mockApi({ 'POST /api/login': errorResponse(413, 'BODY_TOO_LARGE', 'Too large') });
    expect(await getError(api.POST('/api/login', { body }))).toMatchObject({ code: 'BODY_TOO_LARGE' });
    proxyBodyLimit.reset();
  });

  it('reports an unreachable server as a network error', async () => {
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await getError(api.GET('/api/user'))).toMatchObject({ status: 0, code: NETWORK_ERROR });
  });

  it('sends the language of the page', async () => {
    document.documentElement.lang = 'tr';
    const { calls } = mockApi({ 'GET /api/user': [200, makeUser()] });
    await api.GET('/api/user');
    expect(calls[0]?.headers.get('accept-language')).toBe('tr');
  });
});

describe('fetchCurrentUser', () => {
  it('returns null when nobody is signed in', async () => {
    mockApi({ 'GET /api/user': notSignedInResponse });
    expect(await fetchCurrentUser()).toBeNull();
  });

  it('throws when the server fails', async () => {
    mockApi({ 'GET /api/user': [503] });
    expect(await getError(fetchCurrentUser())).toMatchObject({ status: 503 });
  });
});

describe('Query client', () => {
  const createQuery = (route: string) => ({
    queryKey: ['get', route],
    queryFn: async () => (await api.GET(route as '/api/dashboard/stats')).data,
  });

  it('neither retries nor refetches automatically', () => {
    const { queries, mutations } = createQueryClient().getDefaultOptions();
    expect(queries).toMatchObject({ retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false });
    expect(queries?.refetchInterval).toBeUndefined();
    expect(mutations?.retry).toBe(false);
  });

  it('clears the current user when the session has expired', async () => {
    const queries = createQueryClient();
    queries.setQueryData(currentUserKey, makeUser());
    mockApi({ 'GET /api/dashboard/stats': notSignedInResponse });
    await getError(queries.fetchQuery(createQuery('/api/dashboard/stats')));
    expect(queries.getQueryData(currentUserKey)).toBeNull();
  });

  it('marks the current user’s profile as incomplete when the server requires it', async () => {
    const queries = createQueryClient();
    queries.setQueryData(currentUserKey, makeUser());
    mockApi({ 'GET /api/dashboard/stats': errorResponse(403, 'PROFILE_INCOMPLETE', 'Please complete your profile') });
    await getError(queries.fetchQuery(createQuery('/api/dashboard/stats')));
    expect(queries.getQueryData(currentUserKey)).toMatchObject({ needsProfileCompletion: true });
  });

  it('marks the current user as needing a second factor when the server requires it', async () => {
    const queries = createQueryClient();
    queries.setQueryData(currentUserKey, makeUser());
    mockApi({ 'GET /api/dashboard/stats': errorResponse(403, 'FACTOR_NEEDED', 'Please set up a second factor') });
    await getError(queries.fetchQuery(createQuery('/api/dashboard/stats')));
    expect(queries.getQueryData(currentUserKey)).toMatchObject({ factorNeeded: true });
  });

  it('discards the previous user’s data on sign-in', async () => {
    const queries = createQueryClient();
    queries.setQueryData(currentUserKey, null);
    queries.setQueryData(['get', '/api/zones'], [{ id: 7 }]);
    mockApi({ 'GET /api/user': [200, makeUser({ id: 2 })] });
    await loadNewSession(queries);
    expect(queries.getQueryData(['get', '/api/zones'])).toBeUndefined();
    expect(queries.getQueryData(currentUserQuery.queryKey)?.id).toBe(2);
  });
});

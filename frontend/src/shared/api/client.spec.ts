import { notSignedInResponse, mockApi, errorResponse, makeUser } from '../../../test/api';
import { ApiError, NETWORK } from './api-error';
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

describe('the client', () => {
  it('gives what the server answers', async () => {
    mockApi({ 'GET /api/user': [200, makeUser()] });
    expect((await api.GET('/api/user')).data?.email).toBe('deniz@example.org');
  });

  it('throws a refusal with everything the server said', async () => {
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

  it('takes a refusal without a body for a refusal', async () => {
    mockApi({ 'POST /api/logout': [500] });
    const error = await getError(api.POST('/api/logout'));
    expect(error).toMatchObject({ status: 500, code: 'HTTP_500', message: '', errors: {}, requestId: 'req-1' });
  });

  it('takes a refusal that is not JSON for a refusal', async () => {
    globalThis.fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
    expect(await getError(api.POST('/api/logout'))).toMatchObject({ status: 502, code: 'HTTP_502', message: '' });
  });

  it('tells a proxy that refuses a large request from our own refusals, and learns from its size', async () => {
    globalThis.fetch = async () => new Response('<h1>413 Request Entity Too Large</h1>', { status: 413 });
    const body = { email: 'a@b.co', password: 'x'.repeat(2 ** 21) };
    const error = await getError(api.POST('/api/login', { body }));
    expect(error).toMatchObject({ status: 413, code: PROXY_BODY_LIMIT, message: '', body: { smaller: true } });
    expect(proxyBodyLimit.chunkSize).toBe(2 ** 20);
    mockApi({ 'POST /api/login': errorResponse(413, 'BODY_TOO_LARGE', 'Too large') });
    expect(await getError(api.POST('/api/login', { body }))).toMatchObject({ code: 'BODY_TOO_LARGE' });
    proxyBodyLimit.reset();
  });

  it('names an unreachable server as such', async () => {
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await getError(api.GET('/api/user'))).toMatchObject({ status: 0, code: NETWORK });
  });

  it('sends cookies and asks in the language of the page', async () => {
    document.documentElement.lang = 'tr';
    const { calls } = mockApi({ 'GET /api/user': [200, makeUser()] });
    await api.GET('/api/user');
    expect(calls[0]?.headers.get('accept-language')).toBe('tr');
  });
});

describe('the current user', () => {
  it('is nobody when the server says that nobody is signed in', async () => {
    mockApi({ 'GET /api/user': notSignedInResponse });
    expect(await fetchCurrentUser()).toBeNull();
  });

  it('is unknown, not nobody, when the server fails', async () => {
    mockApi({ 'GET /api/user': [503] });
    expect(await getError(fetchCurrentUser())).toMatchObject({ status: 503 });
  });
});

describe('the query client', () => {
  const createQuery = (route: string) => ({
    queryKey: ['get', route],
    queryFn: async () => (await api.GET(route as '/api/dashboard/stats')).data,
  });

  it('neither retries nor refetches by itself', () => {
    const { queries, mutations } = createQueryClient().getDefaultOptions();
    expect(queries).toMatchObject({ retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false });
    expect(queries?.refetchInterval).toBeUndefined();
    expect(mutations?.retry).toBe(false);
  });

  it('notices that the session is over', async () => {
    const queries = createQueryClient();
    queries.setQueryData(currentUserKey, makeUser());
    mockApi({ 'GET /api/dashboard/stats': notSignedInResponse });
    await getError(queries.fetchQuery(createQuery('/api/dashboard/stats')));
    expect(queries.getQueryData(currentUserKey)).toBeNull();
  });

  it('notices that the profile must be completed first', async () => {
    const queries = createQueryClient();
    queries.setQueryData(currentUserKey, makeUser());
    mockApi({ 'GET /api/dashboard/stats': errorResponse(403, 'PROFILE_INCOMPLETE', 'Please complete your profile') });
    await getError(queries.fetchQuery(createQuery('/api/dashboard/stats')));
    expect(queries.getQueryData(currentUserKey)).toMatchObject({ needsProfileCompletion: true });
  });

  it('notices that a second factor must be set up first', async () => {
    const queries = createQueryClient();
    queries.setQueryData(currentUserKey, makeUser());
    mockApi({ 'GET /api/dashboard/stats': errorResponse(403, 'FACTOR_NEEDED', 'Please set up a second factor') });
    await getError(queries.fetchQuery(createQuery('/api/dashboard/stats')));
    expect(queries.getQueryData(currentUserKey)).toMatchObject({ factorNeeded: true });
  });

  it('keeps nothing of the person before when somebody signs in', async () => {
    const queries = createQueryClient();
    queries.setQueryData(currentUserKey, null);
    queries.setQueryData(['get', '/api/zones'], [{ id: 7 }]);
    mockApi({ 'GET /api/user': [200, makeUser({ id: 2 })] });
    await loadNewSession(queries);
    expect(queries.getQueryData(['get', '/api/zones'])).toBeUndefined();
    expect(queries.getQueryData(currentUserQuery.queryKey)?.id).toBe(2);
  });
});

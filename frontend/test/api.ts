import type { CurrentUser } from '../src/shared/api/current-user';

/** A mocked response: status, body and headers, or a function that handles the request. */
export type MockResponse =
  | readonly [status: number, body?: unknown, headers?: Record<string, string>]
  | ((request: Request) => MockResponse | Promise<MockResponse>);

export interface ApiCall {
  route: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

/**
 * Replaces `fetch` by a mocked server: `{'GET /api/user': [200, makeUser()]}`. Routes not in the table return 404.
 * Returns the recorded calls, and `setResponse` to change a response later.
 */
export function mockApi(responses: Record<string, MockResponse>) {
  const calls: ApiCall[] = [];
  const currentResponses = { ...responses };
  globalThis.fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    const route = `${request.method} ${pathname}`;
    const text = await request.clone().text();
    const isForm = request.headers.get('content-type')?.startsWith('multipart/') === true;
    const body = text === '' || isForm ? text || undefined : (JSON.parse(text) as unknown);
    calls.push({ route, query: searchParams, headers: request.headers, body });
    let response =
      currentResponses[route] ??
      (route === 'GET /api/session'
        ? toSessionResponse(currentResponses['GET /api/user'] ?? notFoundResponse)
        : notFoundResponse);
    while (typeof response === 'function') response = await response(request);
    const [status, responseBody, headers] = response;
    const content = responseBody === undefined ? null : JSON.stringify(responseBody);
    return new Response(content, {
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers },
    });
  };
  return {
    calls,
    callsTo: (route: string) => calls.filter((call) => call.route === route),
    setResponse: (route: string, response: MockResponse) => void (currentResponses[route] = response),
  };
}

/** The session response for the user in the table. */
function toSessionResponse(userResponse: MockResponse): MockResponse {
  if (typeof userResponse === 'function') return async (request) => toSessionResponse(await userResponse(request));
  const [status, body] = userResponse;
  if (status === 401) return [200, { user: null }];
  return status === 200 ? [200, { user: body }] : userResponse;
}

const notFoundResponse: MockResponse = [
  404,
  { statusCode: 404, code: 'NOT_FOUND', message: 'Not found.', requestId: 'req-1' },
];

export const notSignedInResponse: MockResponse = [
  401,
  { statusCode: 401, code: 'NOT_SIGNED_IN', message: 'Please sign in.', requestId: 'req-1' },
];

/** An error response in the server's format. */
export function errorResponse(status: number, code: string, message: string, extraFields: object = {}): MockResponse {
  return [status, { statusCode: status, code, message, requestId: 'req-1', ...extraFields }];
}

/** A signed-in user; `changes` override single fields. */
export function makeUser(changes: Partial<CurrentUser> = {}): CurrentUser {
  return {
    id: 1,
    email: 'deniz@example.org',
    firstName: 'Deniz',
    lastName: 'Acar',
    username: 'deniz',
    role: 'user',
    isSuperAdmin: false,
    emailVerified: true,
    zoneCount: 1,
    sharedZoneCount: 0,
    isOnlyInvited: false,
    createdAt: '2026-01-02T03:04:05.000Z',
    needsProfileCompletion: false,
    isReader: false,
    factorNeeded: false,
    hasPassword: true,
    requiresPasswordChange: false,
    requiresProfileCompletion: false,
    profileImageUrl: null,
    plan: 'free',
    language: 'en',
    timeZone: null,
    postalAddress: null,
    notifyAcceptedInvitations: true,
    notifySuggestions: true,
    notifyAdministration: false,
    emailDelivery: 'working',
    ...changes,
  };
}

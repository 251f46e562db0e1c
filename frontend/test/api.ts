import type { CurrentUser } from '../src/shared/api/current-user';

/** An answer of the pretended server: a status, a body and more headers, or what to do with the request. */
export type Answer =
  | readonly [status: number, body?: unknown, headers?: Record<string, string>]
  | ((request: Request) => Answer | Promise<Answer>);

export interface Call {
  route: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

/**
 * Puts a pretended server in the place of the network: `{'GET /api/user': [200, someone()]}`. Whatever is not in the
 * table is answered 404. Gives the calls made, and a way to change an answer later.
 */
export function pretendApi(table: Record<string, Answer>) {
  const calls: Call[] = [];
  const answers = { ...table };
  globalThis.fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const { pathname, searchParams } = new URL(request.url);
    const route = `${request.method} ${pathname}`;
    const text = await request.clone().text();
    const isForm = request.headers.get('content-type')?.startsWith('multipart/') === true;
    const body = text === '' || isForm ? text || undefined : (JSON.parse(text) as unknown);
    calls.push({ route, query: searchParams, headers: request.headers, body });
    let answer =
      answers[route] ?? (route === 'GET /api/session' ? sessionOf(answers['GET /api/user'] ?? notFound) : notFound);
    while (typeof answer === 'function') answer = await answer(request);
    const [status, said, headers] = answer;
    const content = said === undefined ? null : JSON.stringify(said);
    return new Response(content, {
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers },
    });
  };
  return {
    calls,
    callsOf: (route: string) => calls.filter((call) => call.route === route),
    answer: (route: string, answer: Answer) => void (answers[route] = answer),
  };
}

/** What the session is told to be: of whoever the table says is signed in. */
function sessionOf(user: Answer): Answer {
  if (typeof user === 'function') return async (request) => sessionOf(await user(request));
  const [status, body] = user;
  if (status === 401) return [200, { user: null }];
  return status === 200 ? [200, { user: body }] : user;
}

const notFound: Answer = [404, { statusCode: 404, code: 'NOT_FOUND', message: 'Not found.', requestId: 'req-1' }];

export const notSignedIn: Answer = [
  401,
  { statusCode: 401, code: 'NOT_SIGNED_IN', message: 'Please sign in.', requestId: 'req-1' },
];

/** A refusal as the server words it. */
export function refusal(status: number, code: string, message: string, more: object = {}): Answer {
  return [status, { statusCode: status, code, message, requestId: 'req-1', ...more }];
}

/** A signed-in person; `changes` replace single fields. */
export function someone(changes: Partial<CurrentUser> = {}): CurrentUser {
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

import { accountHeader } from '../account/account-header';

interface PrefetchedRequest {
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
  readonly language: string;
  readonly response: Promise<Response>;
}

declare global {
  /** Requests sent by the HTML document (`vite/first-paint.js`), by path and query. */
  var prefetchedRequests: Record<string, PrefetchedRequest> | undefined;
}

/** A response that has not been used within this time is requested again. In milliseconds. */
const MAX_AGE = 10_000;
/** Paths requested within this time, in milliseconds, are probably still in the query cache. */
const RECENT = 30_000;

let prefetched: Record<string, PrefetchedRequest> = Object.fromEntries(
  Object.entries(globalThis.prefetchedRequests ?? {}).map(([path, request]) => [
    path,
    { ...request, response: readWholeResponse(request.response) },
  ]),
);
let lastRequestedAt = new Map<string, number>();

const getLanguage = () => document.documentElement.lang;

/** Empties the cache. Called on every change, because earlier responses may be outdated. */
export function clearPrefetchCache(): void {
  prefetched = {};
  lastRequestedAt = new Map();
}

/**
 * Sends a request that a page will make, so that its response loads in parallel with the page's code.
 * @param path with its query, exactly as the page will request it
 */
export function prefetchRequest(path: string): void {
  const now = Date.now();
  if (isUsable(prefetched[path]) || now - (lastRequestedAt.get(path) ?? -Infinity) < RECENT) return;
  const language = getLanguage();
  const response = readWholeResponse(
    fetch(location.origin + path, {
      credentials: 'include',
      headers: { ...accountHeader.getHeaders(), 'Accept-Language': language },
    }),
  );
  prefetched[path] = { requestedAt: now, language, response };
}

/** Sends a request, or returns the prefetched response to the same one. Each response is used only once. */
export async function fetchWithPrefetch(request: Request): Promise<Response> {
  if (request.method !== 'GET') return fetchMutation(request);
  const { pathname, search } = new URL(request.url);
  const path = pathname + search;
  const match = prefetched[path];
  delete prefetched[path];
  lastRequestedAt.set(path, Date.now());
  if (!isUsable(match)) return fetch(request);
  return match.response.catch(() => fetch(request));
}

/** Reads the body, because an unread one keeps its connection busy if nothing on the page needs the response. */
function readWholeResponse(pending: Promise<Response>): Promise<Response> {
  const response = pending.then(async (received) => {
    const body = await received.arrayBuffer();
    return new Response(body.byteLength > 0 ? body : null, received);
  });
  // The consumer handles the rejection.
  response.catch(() => undefined);
  return response;
}

async function fetchMutation(request: Request): Promise<Response> {
  clearPrefetchCache();
  try {
    return await fetch(request);
  } finally {
    clearPrefetchCache();
  }
}

function isUsable(request: PrefetchedRequest | undefined): request is PrefetchedRequest {
  return request !== undefined && Date.now() - request.requestedAt < MAX_AGE && request.language === getLanguage();
}

import { accountHeader } from '../account/account-header';

interface Asked {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly language: string;
  readonly answer: Promise<Response>;
}

declare global {
  /** By path and query; the document itself begins it (first-paint.js). */
  var askedAhead: Record<string, Asked> | undefined;
}

/** For how many milliseconds an answer that nobody has taken yet may still be used. */
const lasts = 10_000;
/** What was asked within so many milliseconds is most likely kept by whoever asked for it. */
const recently = 30_000;

let waiting: Record<string, Asked> = globalThis.askedAhead ?? {};
let askedAt = new Map<string, number>();

const languageNow = () => document.documentElement.lang;

/** Nothing that was asked before a change may be shown after it. */
export function forgetAskedAhead(): void {
  waiting = {};
  askedAt = new Map();
}

/**
 * Asks for what a page will ask for, so that the answer is on its way while its program still loads.
 * @param path with its query, exactly as the page will ask
 */
export function askAhead(path: string): void {
  const now = Date.now();
  if (isFresh(waiting[path]) || now - (askedAt.get(path) ?? -Infinity) < recently) return;
  const language = languageNow();
  const answer = fetch(location.origin + path, {
    credentials: 'include',
    headers: { ...accountHeader.getHeaders(), 'Accept-Language': language },
  });
  // Whoever takes it sees the failure.
  answer.catch(() => undefined);
  waiting[path] = { at: now, language, answer };
}

/** Sends a request, or gives the answer to the same one that was asked ahead; each is given once. */
export async function fetchAsked(request: Request): Promise<Response> {
  if (request.method !== 'GET') return fetchChange(request);
  const { pathname, search } = new URL(request.url);
  const path = pathname + search;
  const asked = waiting[path];
  delete waiting[path];
  askedAt.set(path, Date.now());
  if (!isFresh(asked)) return fetch(request);
  return asked.answer.catch(() => fetch(request));
}

async function fetchChange(request: Request): Promise<Response> {
  forgetAskedAhead();
  try {
    return await fetch(request);
  } finally {
    forgetAskedAhead();
  }
}

function isFresh(asked: Asked | undefined): asked is Asked {
  return asked !== undefined && Date.now() - asked.at < lasts && asked.language === languageNow();
}

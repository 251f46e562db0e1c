import supertest from 'supertest';
import type { Client } from '../../../support/world.js';

/** The cookies a browser would send to this path. */
export const cookieHeaderOf = (client: Client, url: string, path: string): string => {
  const { hostname: domain } = new URL(url);
  return client.jar.getCookies({ domain, path, secure: false, script: false } as never).toValueString();
};

/** Returns the cookie that unlocks a document from a response: `name=value`. */
export const readDocumentCookie = (headers: Record<string, unknown>): string => {
  const set = (headers['set-cookie'] as string[] | undefined)?.find((cookie) => cookie.includes('zonary_document='));
  if (!set) throw new Error('The response sets no document cookie.');
  return set.split(';')[0]!;
};

/** Sends a request with exactly these cookies. */
export const getWithCookies = (url: string, path: string, cookies: string) =>
  supertest(url).get(path).set('Sec-Fetch-Site', 'same-origin').set('Cookie', cookies);

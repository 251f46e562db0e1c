import supertest from 'supertest';
import type { Client } from '../../../support/world.js';

/** What a browser holds of a site, as it would send it to an address. */
export const cookieHeaderOf = (client: Client, url: string, path: string): string => {
  const { hostname: domain } = new URL(url);
  return client.jar.getCookies({ domain, path, secure: false, script: false } as never).toValueString();
};

/** The cookie that opens a document, as an answer has set it: `name=value`. */
export const readDocumentCookie = (headers: Record<string, unknown>): string => {
  const set = (headers['set-cookie'] as string[] | undefined)?.find((one) => one.includes('zonary_document='));
  if (!set) throw new Error('The answer sets no cookie of a document.');
  return set.split(';')[0]!;
};

/** Asks with exactly these cookies. */
export const getWithCookies = (url: string, path: string, cookies: string) =>
  supertest(url).get(path).set('Sec-Fetch-Site', 'same-origin').set('Cookie', cookies);

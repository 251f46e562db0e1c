import type { NextFunction, Request, Response } from 'express';
import { commonErrors } from '../../errors/common.errors.js';

/**
 * Rejects requests that don't name exactly one host: with two, a proxy could use one and we the other. An absolute URL
 * in the request line must have the same host as the header.
 */
export function rejectAmbiguousHost(request: Request, _response: Response, next: NextFunction): void {
  next(hasSingleHost(request) ? undefined : commonErrors.UNCLEAR_HOST());
}

function hasSingleHost({ rawHeaders, url }: Request): boolean {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === 'host');
  const [host] = hosts;
  if (hosts.length !== 1 || !host || /[\s,/\\@]/.test(host)) return false;
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(url)) return url.startsWith('/') || url === '*';
  const named = `http://${host}`;
  return URL.canParse(url) && URL.canParse(named) && new URL(url).host === new URL(named).host;
}

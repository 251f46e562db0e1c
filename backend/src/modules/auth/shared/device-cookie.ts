import type { Request, Response } from 'express';
import { DAY } from '../../../platform/clock/clock.js';
import { newToken } from '../../../platform/security/secrets.js';

const COOKIE_NAME = 'zonary_device';
const LIFETIME = 365 * DAY;

/** Device ids by request, so that repeated calls for a request return the same id. */
const deviceIds = new WeakMap<Request, string>();

/**
 * Returns the browser's device id: from its cookie, or a new one, which takes effect when a sign-in sets the cookie.
 * The id is unguessable and stored only as a digest, so it needs no signature.
 */
export function getDeviceId(request: Request): string {
  const id = deviceIds.get(request) ?? readCookie(request) ?? newToken();
  deviceIds.set(request, id);
  return id;
}

/** Extends the device cookie for a year from now. The cookie alone grants no access. */
export function writeDeviceCookie(response: Response, secure: boolean): void {
  response.cookie(secure ? `__Host-${COOKIE_NAME}` : COOKIE_NAME, getDeviceId(response.req), {
    httpOnly: true,
    sameSite: 'lax' as const,
    secure,
    path: '/',
    maxAge: LIFETIME,
  });
}

function readCookie(request: Request): string | null {
  const found = /(?:^|;\s*)(?:__Host-)?zonary_device=([\w-]{43})(?:;|$)/.exec(request.headers.cookie ?? '');
  return found?.[1] ?? null;
}

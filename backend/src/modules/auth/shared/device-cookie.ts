import type { Request, Response } from 'express';
import { DAY } from '../../../platform/clock/clock.js';
import { newToken } from '../../../platform/security/secrets.js';

const COOKIE_NAME = 'zonary_device';
const LIFETIME = 365 * DAY;

/** The ids of devices that requests came with or were given, so that one request has one. */
const deviceIds = new WeakMap<Request, string>();

/**
 * The id of the browser that asks: of its cookie, or a new one, which counts for something once a sign-in has written it
 * into the browser. Unguessable, and kept as a digest only: that is what a signature would be good for.
 */
export function getDeviceId(request: Request): string {
  const id = deviceIds.get(request) ?? readCookie(request) ?? newToken();
  deviceIds.set(request, id);
  return id;
}

/** Lets the browser keep its id for a year from now. It opens nothing. */
export function writeDeviceCookie(response: Response, secure: boolean): void {
  response.cookie(secure ? `__Host-${COOKIE_NAME}` : COOKIE_NAME, getDeviceId(response.req), {
    ...{ httpOnly: true, sameSite: 'lax' as const, secure, path: '/' },
    maxAge: LIFETIME,
  });
}

function readCookie(request: Request): string | null {
  const found = /(?:^|;\s*)(?:__Host-)?zonary_device=([\w-]{43})(?:;|$)/.exec(request.headers.cookie ?? '');
  return found?.[1] ?? null;
}

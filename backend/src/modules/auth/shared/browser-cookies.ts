import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { newToken } from '../../../platform/security/secrets.js';

/** For how long a sign-in waits for the second factor. */
export const PENDING_SIGN_IN_LIFETIME = 10 * MINUTE;
/** How long a begun sign-in, and a link that waits for its confirmation, can be finished. */
export const SSO_LIFETIME = 10 * MINUTE;
/** For how long a challenge can be answered. */
export const CHALLENGE_LIFETIME = 5 * MINUTE;

/** A cookie that holds an unguessable id: httpOnly, and Secure with the __Host- prefix under https. */
export abstract class BrowserCookie {
  readonly name: string;

  /**
   * @param name without the prefix
   * @param lifetime in ms
   */
  constructor(
    private readonly config: AppConfig,
    name: string,
    private readonly lifetime: number,
    private readonly sameSite: 'lax' | 'strict',
  ) {
    this.name = config.isSecure ? `__Host-${name}` : name;
  }

  /** The id, or null when there is none that could be ours. */
  read(request: AppRequest): string | null {
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const value = pairs.find((pair) => pair.startsWith(`${this.name}=`))?.slice(this.name.length + 1);
    return value && /^[\w-]{20,100}$/.test(value) ? value : null;
  }

  write(response: Response, id: string): void {
    response.cookie(this.name, id, { ...this.cookieOptions(), maxAge: this.lifetime });
  }

  clear(response: Response): void {
    response.clearCookie(this.name, this.cookieOptions());
  }

  private cookieOptions() {
    return { httpOnly: true, sameSite: this.sameSite, secure: this.config.isSecure, path: '/' };
  }
}

/**
 * Binds a sign-in that waits for the second factor to the browser in which it was begun. Lax: the callback of single
 * sign-on writes it, and the page that it leads to is reached from another site.
 */
@Injectable()
export class PendingSignInCookie extends BrowserCookie {
  constructor(config: AppConfig) {
    super(config, 'zonary_pending', PENDING_SIGN_IN_LIFETIME, 'lax');
  }
}

/** Binds a sign-in by a provider to its browser. Lax: the provider leads back by a link from its own site. */
@Injectable()
export class SsoCookie extends BrowserCookie {
  constructor(config: AppConfig) {
    super(config, 'zonary_sign_in', SSO_LIFETIME, 'lax');
  }
}

/** Binds challenges for signing in to the browser that asked for them. It opens nothing by itself. */
@Injectable()
export class PasskeyCookie extends BrowserCookie {
  constructor(config: AppConfig) {
    super(config, 'zonary_passkey', CHALLENGE_LIFETIME, 'strict');
  }

  /** Lets the browser keep its id, or gives it one: tabs of one browser share it. @returns the id */
  ensureBrowserId(request: AppRequest, response: Response): string {
    const id = this.read(request) ?? newToken();
    this.write(response, id);
    return id;
  }
}

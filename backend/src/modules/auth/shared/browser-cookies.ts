import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { newToken } from '../../../platform/security/secrets.js';

/** How long a sign-in waits for the second factor. */
export const PENDING_SIGN_IN_LIFETIME = 10 * MINUTE;
/** How long a single sign-on, or a link that waits for its confirmation, can be completed. */
export const SSO_LIFETIME = 10 * MINUTE;
/** How long a passkey challenge is valid. */
export const CHALLENGE_LIFETIME = 5 * MINUTE;

/** A cookie that holds an unguessable id: httpOnly, and Secure with the `__Host-` prefix under HTTPS. */
export abstract class BrowserCookie {
  readonly name: string;

  /**
   * @param name without the prefix
   * @param lifetime in milliseconds
   */
  constructor(
    private readonly config: AppConfig,
    name: string,
    private readonly lifetime: number,
    private readonly sameSite: 'lax' | 'strict',
  ) {
    this.name = config.isSecure ? `__Host-${name}` : name;
  }

  /** Returns the id, or null if there is none in our format. */
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
 * Binds a sign-in that waits for the second factor to its browser. SameSite=Lax, because the single sign-on callback
 * writes it and the following page is reached from another site.
 */
@Injectable()
export class PendingSignInCookie extends BrowserCookie {
  constructor(config: AppConfig) {
    super(config, 'zonary_pending', PENDING_SIGN_IN_LIFETIME, 'lax');
  }
}

/** Binds a single sign-on to its browser. SameSite=Lax, because the provider redirects back from its own site. */
@Injectable()
export class SsoCookie extends BrowserCookie {
  constructor(config: AppConfig) {
    super(config, 'zonary_sign_in', SSO_LIFETIME, 'lax');
  }
}

/** Binds sign-in challenges to the browser that requested them. Grants nothing on its own. */
@Injectable()
export class PasskeyCookie extends BrowserCookie {
  constructor(config: AppConfig) {
    super(config, 'zonary_passkey', CHALLENGE_LIFETIME, 'strict');
  }

  /** Returns the browser's id, creating one if needed, and writes the cookie. Tabs of one browser share the id. */
  ensureBrowserId(request: AppRequest, response: Response): string {
    const id = this.read(request) ?? newToken();
    this.write(response, id);
    return id;
  }
}

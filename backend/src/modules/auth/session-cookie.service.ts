import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { AppConfig } from '../../platform/config/app-config.js';
import type { AppRequest } from '../../platform/http/viewer.js';
import { SESSION_LIFETIME, type SessionOrigin } from './session.service.js';

/** The cookie that holds the session id: httpOnly, SameSite=Lax, and Secure with the __Host- prefix under https. */
@Injectable()
export class SessionCookie {
  readonly name: string;

  constructor(private readonly config: AppConfig) {
    this.name = config.secure ? '__Host-zonary_session' : 'zonary_session';
  }

  read(request: AppRequest): string | null {
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const found = pairs.find((pair) => pair.startsWith(`${this.name}=`));
    const value = found?.slice(this.name.length + 1);
    return value && /^[\w-]{20,100}$/.test(value) ? value : null;
  }

  write(response: Response, sid: string): void {
    response.cookie(this.name, sid, { ...this.options(), maxAge: SESSION_LIFETIME });
  }

  clear(response: Response): void {
    response.clearCookie(this.name, this.options());
  }

  private options() {
    return { httpOnly: true, sameSite: 'lax' as const, secure: this.config.secure, path: '/' };
  }
}

/** Where a request comes from, for the list of sessions and for consents. */
export function originOf(request: AppRequest): SessionOrigin {
  // A socket for both families gives IPv4 addresses in the clothes of IPv6.
  const ipAddress = request.ip?.replace(/^::ffff:(?=\d+\.)/i, '') ?? null;
  return { ipAddress, userAgent: request.get('user-agent') ?? null };
}

import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppConfig } from '../../config/app-config.js';
import { commonErrors } from '../../errors/common.errors.js';
import { ALLOW_CROSS_SITE } from '../access.decorator.js';
import type { AppRequest } from '../parsing/viewer.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects unsafe requests that another site made a browser send, with or without a cookie (login CSRF is an attack as
 * well). Browsers don't send bearer tokens by themselves, so requests with one need no check.
 */
@Injectable()
export class CrossSiteGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly config: AppConfig,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<AppRequest>();
    if (SAFE_METHODS.has(request.method) || bearerToken(request) !== null) return true;
    if (this.reflector.getAllAndOverride<boolean>(ALLOW_CROSS_SITE, [context.getHandler(), context.getClass()]))
      return true;
    if (this.isSameOrigin(request)) return true;
    throw commonErrors.CROSS_SITE();
  }

  private isSameOrigin(request: AppRequest): boolean {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined) return site === 'same-origin';
    const { origin, host } = request.headers;
    if (!origin || !URL.canParse(origin)) return false;
    const from = new URL(origin);
    if (this.config.isSecure && from.protocol !== 'https:') return false;
    return [new URL(this.config.appUrl).host, host].includes(from.host);
  }
}

/** Returns the API token that authenticates the request (cookies are ignored then), or null when there is none. */
export function bearerToken(request: AppRequest): string | null {
  return /^bearer\s+(.*)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim() ?? null;
}

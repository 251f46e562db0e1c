import { setPoolTenantForViewer } from '../../../platform/http/limits/pool-tenant.js';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { bearerToken } from '../../../platform/http/csrf/cross-site.guard.js';
import { clientNetworkOf } from '../../../platform/http/networks/client-network.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { ApiTokenService } from '../tokens/api-token.service.js';
import { SessionService } from '../sessions/session.service.js';
import { SessionCookieService } from '../sessions/session-cookie.service.js';

/** Finds out who is asking. It refuses nobody; the access guard behind it does. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionService,
    private readonly tokens: ApiTokenService,
    private readonly sessionCookie: SessionCookieService,
  ) {}

  /** Where a bearer token is given, it alone counts, good or not: a cookie beside it changes nothing. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AppRequest>();
    request.viewer = await this.resolveViewer(request);
    setPoolTenantForViewer(request);
    return true;
  }

  private resolveViewer(request: AppRequest): Promise<Viewer | null> {
    const token = bearerToken(request);
    if (token !== null) return this.tokens.resolveViewer(token, clientNetworkOf(request));
    const sid = this.sessionCookie.read(request);
    if (sid === null) return Promise.resolve(null);
    // The cookie of an ended session is left as it is: this answer may come after that of a request which meanwhile gave
    // the browser a new one (a finished profile, a new password), and would take the new one away.
    return this.sessions.resolveViewer(sid);
  }
}

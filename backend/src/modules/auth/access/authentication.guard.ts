import { setPoolTenantForViewer } from '../../../platform/http/limits/pool-tenant.js';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { bearerToken } from '../../../platform/http/csrf/cross-site.guard.js';
import { clientNetworkOf } from '../../../platform/http/networks/client-network.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { ApiTokenService } from '../tokens/api-token.service.js';
import { SessionService } from '../sessions/session.service.js';
import { SessionCookieService } from '../sessions/session-cookie.service.js';

/** Resolves the viewer of a request. Rejects nothing: `AccessGuard` runs after it and does. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionService,
    private readonly tokens: ApiTokenService,
    private readonly sessionCookie: SessionCookieService,
  ) {}

  /** If a bearer token is sent, only the token counts, valid or not; the session cookie is then ignored. */
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
    // The cookie of an ended session is not cleared. This response may arrive after another one that has given the
    // browser a new cookie (after completing a profile or changing a password), and would delete that.
    return this.sessions.resolveViewer(sid);
  }
}

import { chargeViewer } from '../../../platform/http/limits/charge-writes.js';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { bearerToken } from '../../../platform/http/origins/cross-site.guard.js';
import { networkOfClient } from '../../../platform/http/networks/client-network.js';
import type { AppRequest, Viewer } from '../../../platform/http/reading/viewer.js';
import { ApiTokenService } from '../tokens/api-token.service.js';
import { SessionService } from '../sessions/session.service.js';
import { SessionCookie } from '../sessions/session-cookie.service.js';

/** Finds out who is asking. It refuses nobody; the access guard behind it does. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionService,
    private readonly tokens: ApiTokenService,
    private readonly cookie: SessionCookie,
  ) {}

  /** Where a bearer token is given, it alone counts, good or not: a cookie beside it changes nothing. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AppRequest>();
    request.viewer = await this.viewerOf(request);
    chargeViewer(request);
    return true;
  }

  private viewerOf(request: AppRequest): Promise<Viewer | null> {
    const token = bearerToken(request);
    if (token !== null) return this.tokens.resolve(token, networkOfClient(request));
    const sid = this.cookie.read(request);
    if (sid === null) return Promise.resolve(null);
    // The cookie of an ended session is left as it is: this answer may come after that of a request which meanwhile gave
    // the browser a new one (a finished profile, a new password), and would take the new one away.
    return this.sessions.resolve(sid);
  }
}

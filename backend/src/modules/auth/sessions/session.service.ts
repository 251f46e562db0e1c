import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { KnownDeviceService } from '../devices/known-device.service.js';
import { isStaff, requiresMfa } from '../access/access.policy.js';
import type { User } from '../entities/user.entity.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { newToken } from '../../../platform/security/secrets.js';
import type { SessionOrigin } from '../shared/session-origin.js';
import { PendingSignInRepository } from '../sign-in/pending-sign-in.repository.js';
import { UserRepository } from '../users/user.repository.js';
import { CONFIRMATION_LIFETIME } from './session.policy.js';
import { SessionRepository, type SessionRow } from './session.repository.js';

export type { SessionOrigin };

/** Minimum interval between writes of `last_seen_at`: one write per request would halve the throughput of reads. */
const LAST_SEEN_WRITE_INTERVAL = HOUR;
/** For admins, so that their 12 hours are accurate. */
const STAFF_LAST_SEEN_WRITE_INTERVAL = 5 * MINUTE;

/** Sessions: an opaque id in a cookie; the database stores only its digest. */
@Injectable()
export class SessionService {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly pendingSignIns: PendingSignInRepository,
    private readonly users: UserRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly devices: KnownDeviceService,
  ) {}

  /**
   * Creates a session with a new id, in the caller's transaction. Call it only from `SessionIssuerService`, which
   * checks second factors.
   * @param restricted a temporary password opened the session, which may only complete the profile
   * @param confirmed the user has just proved who they are by a secret of their own, not only by an emailed link
   * @returns the id for the cookie, which is stored nowhere else
   */
  async createSession(
    em: EntityManager,
    userId: number,
    restricted: boolean,
    origin: SessionOrigin,
    confirmed: boolean,
  ): Promise<string> {
    const sid = newToken();
    const { ipAddress, userAgent } = origin;
    await this.sessions.insertSession(em, { sid, userId, restricted, ipAddress, userAgent, isConfirmed: confirmed });
    await this.devices.recordSignIn(em, userId, origin);
    return sid;
  }

  /** Returns the holder of a session id, or null if the session has ended or the account is deactivated. */
  async resolveViewer(sid: string): Promise<Viewer | null> {
    const now = this.clock.now();
    const row = await this.sessions.findViewer(sid, now);
    if (!row) return null;
    const { lastSeenAt, confirmedAt, isFactorless: lacksFactor, ...viewer } = row;
    const sinceLastWrite = now.getTime() - lastSeenAt.getTime();
    if (sinceLastWrite >= (isStaff(viewer) ? STAFF_LAST_SEEN_WRITE_INTERVAL : LAST_SEEN_WRITE_INTERVAL))
      await this.sessions.updateLastSeen(row.sessionId, now);
    const confirmed = confirmedAt !== null && addMilliseconds(confirmedAt, CONFIRMATION_LIFETIME) > now;
    const factorNeeded = lacksFactor && requiresMfa(viewer, this.config.requiresAdminMfa);
    return { ...viewer, isReauthenticated: confirmed, needsMfaSetup: factorNeeded, scope: null };
  }

  /**
   * Records, in the caller's transaction, that the session's user has just reauthenticated.
   * @returns until when that is valid; null if the session has ended
   */
  async markSessionConfirmed(em: EntityManager, id: number | null): Promise<Date | null> {
    const now = this.clock.now();
    const isOpen = await this.sessions.updateConfirmed(em, id, now);
    return isOpen ? addMilliseconds(now, CONFIRMATION_LIFETIME) : null;
  }

  /** Returns the viewer's open sessions, the most recently used first. */
  async listSessions(viewer: Viewer, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<SessionRow>> {
    const page = { isStaff: isStaff(viewer), limit: limit + 1, cursor };
    const { rows, total } = await this.sessions.findOpenSessions(viewer.userId, page);
    return toPage(rows, limit, total, (row) => [row.lastSeenAt.toISOString(), row.id]);
  }

  /**
   * Locks the user of a session until the caller's transaction commits, and checks that the session is still open. This
   * serialises the caller with everything that ends sessions.
   * @returns the user's current state
   * @throws NOT_SIGNED_IN if the session has since ended
   */
  async lockUserOfSession(
    em: EntityManager,
    { userId, sessionId }: Pick<Viewer, 'userId' | 'sessionId'>,
  ): Promise<User> {
    const user = await this.users.lockUser(em, userId);
    if (!(await this.sessions.hasSession(em, userId, sessionId))) throw commonErrors.NOT_SIGNED_IN();
    return user;
  }

  /**
   * Ends all sessions of a user, optionally except one, and their sign-ins that wait for a second factor.
   * @returns the number of sessions ended
   */
  async endAllSessions(em: EntityManager, userId: number, exceptSessionId: number | null = null): Promise<number> {
    await this.pendingSignIns.deletePendingSignInsOf(em, userId);
    return this.sessions.deleteSessionsOf(em, userId, exceptSessionId);
  }
}

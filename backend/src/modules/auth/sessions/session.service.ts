import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CompiledQuery, sql, type RawBuilder } from 'kysely';
import { addMilliseconds, Clock, DAY, HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { withPreparedHint } from '../../../platform/database/prepared-queries.js';
import { query } from '../../../platform/database/query.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { KnownDeviceService } from '../devices/known-device.service.js';
import { isStaff, requiresMfa } from '../access/access.policy.js';
import { SessionSchema } from '../entities/session.entity.js';
import { User, type UserSchema } from '../entities/user.entity.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { isProfileIncompleteSql } from '../access/user.policy.js';
import { isStaffWithoutMfaSql } from '../mfa/mfa.policy.js';
import { digestOf, newToken } from '../../../platform/security/secrets.js';
import type { SessionOrigin } from '../shared/session-origin.js';
import { PendingSignInSchema } from '../sign-in/pending-sign-in.entity.js';

export type { SessionOrigin };

/** A session ends 30 days after its last use. */
const IDLE_LIFETIME = 30 * DAY;
/** A session ends 90 days after the sign-in in any case. */
export const SESSION_LIFETIME = 90 * DAY;
/** A session of an admin ends 12 hours after its last use. */
const STAFF_IDLE_LIFETIME = 12 * HOUR;
/** How long a confirmation (reauthentication) is valid. */
export const CONFIRMATION_LIFETIME = 10 * MINUTE;
/** Minimum interval between writes of `last_seen_at`: one write per request would halve the throughput of reads. */
const LAST_SEEN_WRITE_INTERVAL = HOUR;
/** For admins, so that their 12 hours are accurate. */
const STAFF_LAST_SEEN_WRITE_INTERVAL = 5 * MINUTE;

/** A session as shown to its user. */
export interface SessionRow {
  readonly id: number;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

type Tables = typeof SessionSchema | typeof UserSchema | typeof PendingSignInSchema;

type SessionViewerRow = Omit<Viewer, 'scope' | 'sessionId' | 'isReauthenticated' | 'needsMfaSetup'> & {
  readonly isFactorless: boolean;
  readonly sessionId: number;
  readonly confirmedAt: Date | null;
  readonly lastSeenAt: Date;
};

/** Runs on every request, so it is built once and prepared on each connection. */
const sessionViewerQuery = withPreparedHint(`
  select s.id as "sessionId", s.restricted, ${isProfileIncompleteSql} as "isReader", s.last_seen_at as "lastSeenAt", s.confirmed_at as "confirmedAt", u.id as "userId", u.email, u.role,
    u.language, u.is_super_admin as "isSuperAdmin", ${isStaffWithoutMfaSql} as "isFactorless"
  from sessions s join users u on u.id = s.user_id
  where s.sid = $1 and s.expire > $2 and s.created_at > $3 and u.deactivated_at is null
    and (s.last_seen_at > $4 or not (u.is_super_admin or u.role = 'admin'))`);

const SESSION_LIFETIME_SQL = `${SESSION_LIFETIME / DAY} days`;
const STAFF_IDLE_LIFETIME_SQL = `${STAFF_IDLE_LIFETIME / HOUR} hours`;

/** Returns the earliest sign-in time of an open session, and the earliest time of last use of an admin's. */
const earliestTimesOfOpenSession = (now: Date): [earliestCreatedAt: Date, earliestUsedAt: Date] => [
  addMilliseconds(now, -SESSION_LIFETIME),
  addMilliseconds(now, -STAFF_IDLE_LIFETIME),
];

/** Sessions: an opaque id in a cookie; the database stores only its digest. */
@Injectable()
export class SessionService {
  constructor(
    private readonly em: EntityManager,
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
    const now = this.clock.now();
    await query<Tables>(em)
      .insertInto('sessions')
      .values({
        sid: digestOf(sid),
        user_id: userId,
        restricted,
        ip_address: origin.ipAddress,
        user_agent: origin.userAgent?.slice(0, 500) ?? null,
        confirmed_at: confirmed ? now : null,
        created_at: now,
        last_seen_at: now,
        expire: addMilliseconds(now, IDLE_LIFETIME),
      })
      .execute();
    await this.devices.recordSignIn(em, userId, origin);
    return sid;
  }

  /** Returns the holder of a session id, or null if the session has ended or the account is deactivated. */
  async resolveViewer(sid: string): Promise<Viewer | null> {
    const now = this.clock.now();
    const { rows } = await query<Tables>(this.em).executeQuery(
      CompiledQuery.raw(sessionViewerQuery, [
        digestOf(sid),
        now,
        ...earliestTimesOfOpenSession(now),
      ]) as CompiledQuery<SessionViewerRow>,
    );
    const row = rows[0];
    if (!row) return null;
    const { lastSeenAt, confirmedAt, isFactorless: lacksFactor, ...viewer } = row;
    const sinceLastWrite = now.getTime() - lastSeenAt.getTime();
    if (sinceLastWrite >= (isStaff(viewer) ? STAFF_LAST_SEEN_WRITE_INTERVAL : LAST_SEEN_WRITE_INTERVAL))
      await this.updateLastSeen(row.sessionId, now);
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
    const marked = await query<Tables>(em)
      .updateTable('sessions')
      .set({ confirmed_at: now })
      .where('id', '=', id)
      .where('expire', '>', now)
      .executeTakeFirst();
    return marked.numUpdatedRows > 0n ? addMilliseconds(now, CONFIRMATION_LIFETIME) : null;
  }

  /** Returns a subquery of all open sessions with the columns `id` and `user_id`. */
  openSessionsSql(): RawBuilder<unknown> {
    const now = this.clock.now();
    const [earliestCreatedAt, earliestUsedAt] = earliestTimesOfOpenSession(now);
    return sql`
      select s.id, s.user_id from sessions s join users u on u.id = s.user_id
      where s.expire > ${now} and s.created_at > ${earliestCreatedAt} and u.deactivated_at is null
        and (s.last_seen_at > ${earliestUsedAt} or not (u.is_super_admin or u.role = 'admin'))`;
  }

  /** Returns the viewer's open sessions, the most recently used first. */
  async listSessions(viewer: Viewer, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<SessionRow>> {
    const now = this.clock.now();
    const [earliestCreatedAt, earliestUsedAt] = earliestTimesOfOpenSession(now);
    const end = isStaff(viewer)
      ? sql<Date>`least(expire, last_seen_at + ${STAFF_IDLE_LIFETIME_SQL}::interval)`
      : sql<Date>`expire`;
    let open = query<Tables>(this.em)
      .selectFrom('sessions')
      .where('user_id', '=', viewer.userId)
      .where('expire', '>', now)
      .where('created_at', '>', earliestCreatedAt);
    if (isStaff(viewer)) open = open.where('last_seen_at', '>', earliestUsedAt);
    let rows = open
      .select(['id', 'ip_address as ipAddress', 'user_agent as userAgent'])
      .select(['created_at as createdAt', 'last_seen_at as lastSeenAt', end.as('expiresAt')])
      .orderBy('last_seen_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1);
    if (cursor) {
      const last = cursorTuple(cursor, ['timestamptz', 'bigint']);
      rows = rows.where(sql<boolean>`(last_seen_at, id) < ${last}`);
    }
    const { total } = await open.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    return toPage(await rows.execute(), limit, total, (row) => [row.lastSeenAt.toISOString(), row.id]);
  }

  /** Ends one session of a user. Returns false if they have no such session. */
  async endSession(em: EntityManager, userId: number, id: number): Promise<boolean> {
    const deleted = await query<Tables>(em)
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
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
    const user = await em.findOneOrFail(User, { id: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
    const open = query<Tables>(em).selectFrom('sessions').select('id').where('id', '=', sessionId);
    if (!(await open.where('user_id', '=', userId).executeTakeFirst())) throw commonErrors.NOT_SIGNED_IN();
    return user;
  }

  /** Ends a session by the id in its cookie. */
  async endSessionById(sid: string): Promise<void> {
    await query<Tables>(this.em).deleteFrom('sessions').where('sid', '=', digestOf(sid)).execute();
  }

  /**
   * Ends all sessions of a user, optionally except one, and their sign-ins that wait for a second factor.
   * @returns the number of sessions ended
   */
  async endAllSessions(em: EntityManager, userId: number, exceptSessionId: number | null = null): Promise<number> {
    await query<Tables>(em).deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute();
    let closing = query<Tables>(em).deleteFrom('sessions').where('user_id', '=', userId);
    if (exceptSessionId !== null) closing = closing.where('id', '!=', exceptSessionId);
    return Number((await closing.executeTakeFirst()).numDeletedRows);
  }

  private async updateLastSeen(sessionId: number, now: Date): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('sessions')
      .set({
        last_seen_at: now,
        expire: sql<Date>`least(${addMilliseconds(now, IDLE_LIFETIME)}::timestamptz, created_at + ${SESSION_LIFETIME_SQL}::interval)`,
      })
      .where('id', '=', sessionId)
      .execute();
  }
}

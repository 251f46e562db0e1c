import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CompiledQuery, sql } from 'kysely';
import { addMilliseconds, Clock, DAY, HOUR } from '../../../platform/clock/clock.js';
import { withPreparedHint } from '../../../platform/database/prepared-queries.js';
import { query } from '../../../platform/database/query.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { isProfileIncompleteSql } from '../access/user.sql.js';
import type { SessionSchema } from '../entities/session.entity.js';
import type { UserSchema } from '../entities/user.entity.js';
import { isStaffWithoutMfaSql } from '../mfa/mfa.sql.js';
import { earliestTimesOfOpenSession, IDLE_LIFETIME, SESSION_LIFETIME, STAFF_IDLE_LIFETIME } from './session.policy.js';

/** A session as shown to its user. */
export interface SessionRow {
  readonly id: number;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** The holder of a session, and what the rights of the session depend on. */
export type SessionViewerRow = Omit<Viewer, 'scope' | 'sessionId' | 'isReauthenticated' | 'needsMfaSetup'> & {
  readonly isFactorless: boolean;
  readonly sessionId: number;
  readonly confirmedAt: Date | null;
  readonly lastSeenAt: Date;
};

interface NewSession {
  /** The id in the cookie; only its digest is stored. */
  readonly sid: string;
  readonly userId: number;
  readonly restricted: boolean;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly isConfirmed: boolean;
}

type Tables = typeof SessionSchema | typeof UserSchema;

/** Runs on every request, so it is built once and prepared on each connection. */
const sessionViewerQuery = withPreparedHint(`
  select s.id as "sessionId", s.restricted, ${isProfileIncompleteSql} as "hasIncompleteProfile", s.last_seen_at as "lastSeenAt", s.confirmed_at as "confirmedAt", u.id as "userId", u.email, u.role,
    u.language, u.is_super_admin as "isSuperAdmin", ${isStaffWithoutMfaSql} as "isFactorless"
  from sessions s join users u on u.id = s.user_id
  where s.sid = $1 and s.expire > $2 and s.created_at > $3 and u.deactivated_at is null
    and (s.last_seen_at > $4 or not (u.is_super_admin or u.role = 'admin'))`);

const SESSION_LIFETIME_SQL = `${SESSION_LIFETIME / DAY} days`;
const STAFF_IDLE_LIFETIME_SQL = `${STAFF_IDLE_LIFETIME / HOUR} hours`;

/** Sessions. The database stores only digests of the ids in cookies. */
@Injectable()
export class SessionRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Call it only from `SessionService.createSession`, which is called where second factors are checked. */
  async insertSession(em: EntityManager, session: NewSession): Promise<void> {
    const now = this.clock.now();
    await query<Tables>(em)
      .insertInto('sessions')
      .values({
        sid: digestOf(session.sid),
        user_id: session.userId,
        restricted: session.restricted,
        ip_address: session.ipAddress,
        user_agent: session.userAgent?.slice(0, 500) ?? null,
        confirmed_at: session.isConfirmed ? now : null,
        created_at: now,
        last_seen_at: now,
        expire: addMilliseconds(now, IDLE_LIFETIME),
      })
      .execute();
  }

  /** Returns the holder of an open session; null if it has ended or the account is deactivated. */
  async findViewer(sid: string, now: Date): Promise<SessionViewerRow | null> {
    const { rows } = await query<Tables>(this.em).executeQuery(
      CompiledQuery.raw(sessionViewerQuery, [
        digestOf(sid),
        now,
        ...earliestTimesOfOpenSession(now),
      ]) as CompiledQuery<SessionViewerRow>,
    );
    return rows[0] ?? null;
  }

  /** Returns up to `limit` open sessions of the viewer, the most recently used first, and the number of all. */
  async findOpenSessions(
    userId: number,
    { isStaff, limit, cursor }: { isStaff: boolean; limit: number; cursor: string | undefined },
  ): Promise<{ rows: SessionRow[]; total: number }> {
    const now = this.clock.now();
    const [earliestCreatedAt, earliestUsedAt] = earliestTimesOfOpenSession(now);
    const end = isStaff
      ? sql<Date>`least(expire, last_seen_at + ${STAFF_IDLE_LIFETIME_SQL}::interval)`
      : sql<Date>`expire`;
    let open = query<Tables>(this.em)
      .selectFrom('sessions')
      .where('user_id', '=', userId)
      .where('expire', '>', now)
      .where('created_at', '>', earliestCreatedAt);
    if (isStaff) open = open.where('last_seen_at', '>', earliestUsedAt);
    let rows = open
      .select(['id', 'ip_address as ipAddress', 'user_agent as userAgent'])
      .select(['created_at as createdAt', 'last_seen_at as lastSeenAt', end.as('expiresAt')])
      .orderBy('last_seen_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (cursor) {
      const last = cursorTuple(cursor, ['timestamptz', 'bigint']);
      rows = rows.where(sql<boolean>`(last_seen_at, id) < ${last}`);
    }
    const { total } = await open.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    return { rows: await rows.execute(), total };
  }

  /** Returns whether the user has this session, read in the caller's transaction. */
  async hasSession(em: EntityManager, userId: number, id: number | null): Promise<boolean> {
    const open = query<Tables>(em).selectFrom('sessions').select('id').where('id', '=', id);
    return (await open.where('user_id', '=', userId).executeTakeFirst()) !== undefined;
  }

  /** Records the last use, which extends the session. */
  async updateLastSeen(id: number, now: Date): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('sessions')
      .set({
        last_seen_at: now,
        expire: sql<Date>`least(${addMilliseconds(now, IDLE_LIFETIME)}::timestamptz, created_at + ${SESSION_LIFETIME_SQL}::interval)`,
      })
      .where('id', '=', id)
      .execute();
  }

  /** Records that the session's user has reauthenticated. @returns false if the session has ended */
  async updateConfirmed(em: EntityManager, id: number | null, now: Date): Promise<boolean> {
    const marked = await query<Tables>(em)
      .updateTable('sessions')
      .set({ confirmed_at: now })
      .where('id', '=', id)
      .where('expire', '>', now)
      .executeTakeFirst();
    return marked.numUpdatedRows > 0n;
  }

  /** Ends one session of a user. @returns false if they have no such session */
  async deleteSession(em: EntityManager, userId: number, id: number): Promise<boolean> {
    const deleted = await query<Tables>(em)
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  /** Ends a session by the id in its cookie. */
  async deleteSessionOfCookie(sid: string): Promise<void> {
    await query<Tables>(this.em).deleteFrom('sessions').where('sid', '=', digestOf(sid)).execute();
  }

  /** Ends all sessions of a user, optionally except one. @returns the number of sessions ended */
  async deleteSessionsOf(em: EntityManager, userId: number, exceptSessionId: number | null): Promise<number> {
    let closing = query<Tables>(em).deleteFrom('sessions').where('user_id', '=', userId);
    if (exceptSessionId !== null) closing = closing.where('id', '!=', exceptSessionId);
    return Number((await closing.executeTakeFirst()).numDeletedRows);
  }

  async deleteExpiredSessions(now: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('sessions').where('expire', '<=', now).execute();
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CompiledQuery, sql } from 'kysely';
import { after, Clock, DAY, HOUR } from '../../platform/clock/clock.js';
import { preparedText } from '../../platform/database/prepared.js';
import { query } from '../../platform/database/query.js';
import { cursorTuple } from '../../platform/http/cursor.js';
import { LIST_LIMIT, pageOf, type ListQueryDto, type Page } from '../../platform/http/list.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { SessionSchema } from './entities/session.entity.js';
import { UserSchema } from './entities/user.entity.js';
import { digestOf, newToken } from '../../platform/security/secrets.js';

/** A session ends 30 days after its last use. */
export const SESSION_LIFETIME = 30 * DAY;
/** Use is written down at most this often: a write a request halves the rate of reads. */
const WRITE_EVERY = HOUR;

export interface SessionOrigin {
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

/** A sign-in, as its person sees it. */
export interface SessionRow {
  readonly id: number;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

type Tables = typeof SessionSchema | typeof UserSchema;

type SessionWithPerson = Omit<Viewer, 'scope' | 'sessionId'> & {
  readonly sessionId: number;
  readonly lastSeenAt: Date;
};

/** Asked at every request: put together once, and kept by each connection. */
const sessionWithPerson = preparedText(`
  select s.id as "sessionId", s.restricted, s.last_seen_at as "lastSeenAt", u.id as "userId", u.email, u.role,
    u.language, u.is_super_admin as "isSuperAdmin"
  from sessions s join users u on u.id = s.user_id
  where s.sid = $1 and s.expire > $2 and u.deactivated_at is null`);

/** Sign-ins: an opaque id in a cookie, of which the database has the digest. */
@Injectable()
export class SessionService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens a session with a new id, in the caller's transaction.
   * @param restricted the person has no password of their own yet and may only finish the profile
   * @returns the id for the cookie, which is stored nowhere else
   */
  async open(em: EntityManager, userId: number, restricted: boolean, origin: SessionOrigin): Promise<string> {
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
        created_at: now,
        last_seen_at: now,
        expire: after(now, SESSION_LIFETIME),
      })
      .execute();
    return sid;
  }

  /** Who holds this session id, or null when it has ended or the account is deactivated. */
  async resolve(sid: string): Promise<Viewer | null> {
    const now = this.clock.now();
    const { rows } = await query<Tables>(this.em).executeQuery(
      CompiledQuery.raw(sessionWithPerson, [digestOf(sid), now]) as CompiledQuery<SessionWithPerson>,
    );
    const row = rows[0];
    if (!row) return null;
    const { lastSeenAt, ...viewer } = row;
    if (now.getTime() - lastSeenAt.getTime() >= WRITE_EVERY) await this.touch(row.sessionId, now);
    return { ...viewer, scope: null };
  }

  /** The sessions of a person that have not ended, the one used last first. */
  async list(userId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<SessionRow>> {
    const open = query<Tables>(this.em)
      .selectFrom('sessions')
      .where('user_id', '=', userId)
      .where('expire', '>', this.clock.now());
    let rows = open
      .select(['id', 'ip_address as ipAddress', 'user_agent as userAgent'])
      .select(['created_at as createdAt', 'last_seen_at as lastSeenAt', 'expire as expiresAt'])
      .orderBy('last_seen_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1);
    if (cursor) {
      const last = cursorTuple(cursor, ['timestamptz', 'bigint']);
      rows = rows.where(sql<boolean>`(last_seen_at, id) < ${last}`);
    }
    const { total } = await open.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    return pageOf(await rows.execute(), limit, total, (row) => [row.lastSeenAt.toISOString(), row.id]);
  }

  /** Ends one session of a person; false when they have none such. */
  async closeOne(em: EntityManager, userId: number, id: number): Promise<boolean> {
    const gone = await query<Tables>(em)
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return gone.numDeletedRows > 0n;
  }

  /** True while a session has not been ended; asked again under the lock of the person by what must not outlive it. */
  async isOpen(em: EntityManager, id: number | null): Promise<boolean> {
    const row = await query<Tables>(em).selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst();
    return row !== undefined;
  }

  /** Ends one session, by its id in the cookie. */
  async close(sid: string): Promise<void> {
    await query<Tables>(this.em).deleteFrom('sessions').where('sid', '=', digestOf(sid)).execute();
  }

  /** Ends all sessions of a person, except (if given) one. @returns how many */
  async closeAll(em: EntityManager, userId: number, exceptSessionId: number | null = null): Promise<number> {
    let closing = query<Tables>(em).deleteFrom('sessions').where('user_id', '=', userId);
    if (exceptSessionId !== null) closing = closing.where('id', '!=', exceptSessionId);
    return Number((await closing.executeTakeFirst()).numDeletedRows);
  }

  private async touch(sessionId: number, now: Date): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('sessions')
      .set({ last_seen_at: now, expire: after(now, SESSION_LIFETIME) })
      .where('id', '=', sessionId)
      .execute();
  }
}

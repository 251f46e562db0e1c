import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, DAY, HOUR } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
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

type Tables = typeof SessionSchema | typeof UserSchema;

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
    const row = await query<Tables>(this.em)
      .selectFrom('sessions as s')
      .innerJoin('users as u', 'u.id', 's.user_id')
      .select(['s.id as sessionId', 's.restricted as restricted', 's.last_seen_at as lastSeenAt'])
      .select(['u.id as userId', 'u.email as email', 'u.role as role', 'u.language as language'])
      .select('u.is_super_admin as isSuperAdmin')
      .where('s.sid', '=', digestOf(sid))
      .where('s.expire', '>', now)
      .where('u.deactivated_at', 'is', null)
      .executeTakeFirst();
    if (!row) return null;
    const { lastSeenAt, ...viewer } = row;
    if (now.getTime() - lastSeenAt.getTime() >= WRITE_EVERY) await this.touch(row.sessionId, now);
    return { ...viewer, scope: null };
  }

  /** Ends one session, by its id in the cookie. */
  async close(sid: string): Promise<void> {
    await query<Tables>(this.em).deleteFrom('sessions').where('sid', '=', digestOf(sid)).execute();
  }

  /** Ends all sessions of a person, except (if given) one. */
  async closeAll(em: EntityManager, userId: number, exceptSessionId: number | null = null): Promise<void> {
    let closing = query<Tables>(em).deleteFrom('sessions').where('user_id', '=', userId);
    if (exceptSessionId !== null) closing = closing.where('id', '!=', exceptSessionId);
    await closing.execute();
  }

  private async touch(sessionId: number, now: Date): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('sessions')
      .set({ last_seen_at: now, expire: after(now, SESSION_LIFETIME) })
      .where('id', '=', sessionId)
      .execute();
  }
}

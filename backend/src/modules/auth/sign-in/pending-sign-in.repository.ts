import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { digestOf, newToken } from '../../../platform/security/secrets.js';
import type { LinkedIdentity } from '../single-sign-on/single-sign-on.repository.js';
import type { UserSchema } from '../entities/user.entity.js';
import { PENDING_SIGN_IN_LIFETIME } from '../shared/browser-cookies.js';
import type { PendingSignInSchema } from './pending-sign-in.entity.js';

type Tables = typeof PendingSignInSchema | typeof UserSchema;

export interface PendingSignInRow {
  readonly id: number;
  readonly userId: number;
  readonly email: string;
  readonly restricted: boolean;
}

/**
 * Sign-ins that wait for the second factor, each bound to one browser. They end with their user's sessions
 * (`SessionService.endAllSessions`), so none outlives the password it was started with.
 */
@Injectable()
export class PendingSignInRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a pending sign-in, in the caller's transaction, which must hold a lock of the user's row.
   * @param identity to be linked to the account when the sign-in is complete
   * @returns the token for the cookie, which is stored nowhere else
   */
  async insertPendingSignIn(
    em: EntityManager,
    userId: number,
    restricted: boolean,
    identity: LinkedIdentity | null,
  ): Promise<string> {
    const token = newToken();
    const now = this.clock.now();
    const times = { created_at: now, expires_at: addMilliseconds(now, PENDING_SIGN_IN_LIFETIME) };
    await query<Tables>(em)
      .insertInto('pending_sign_ins')
      .values({
        digest: digestOf(token),
        user_id: userId,
        restricted,
        ...times,
        issuer: identity?.issuer,
        subject: identity?.subject,
        identity_email: identity?.email,
      })
      .execute();
    return token;
  }

  /** Returns the pending sign-in of a token, or null if it is unknown, expired or completed. */
  async findPendingSignIn(token: string | null): Promise<PendingSignInRow | null> {
    const row = await query<Tables>(this.em.fork())
      .selectFrom('pending_sign_ins as s')
      .innerJoin('users as u', 'u.id', 's.user_id')
      .select(['s.id as id', 's.user_id as userId', 's.restricted as restricted', 'u.email as email'])
      .where('s.digest', '=', digestOf(token ?? ''))
      .where('s.expires_at', '>', this.clock.now())
      .where('u.deactivated_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Consumes a pending sign-in, in the caller's transaction. Of concurrent calls, one gets it.
   * @returns the identity to be linked, if any; null if the sign-in was already consumed
   */
  async consumePendingSignIn(
    em: EntityManager,
    id: number,
  ): Promise<{ readonly identity: LinkedIdentity | null } | null> {
    const used = await query<Tables>(em)
      .deleteFrom('pending_sign_ins')
      .where('id', '=', id)
      .returning(['issuer', 'subject', 'identity_email as email'])
      .executeTakeFirst();
    if (!used) return null;
    const { issuer, subject, email } = used;
    return { identity: issuer !== null && subject !== null && email !== null ? { issuer, subject, email } : null };
  }

  async deletePendingSignInsOf(em: EntityManager, userId: number): Promise<void> {
    await query<Tables>(em).deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute();
  }

  async deleteExpiredPendingSignIns(now: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('pending_sign_ins').where('expires_at', '<=', now).execute();
  }
}

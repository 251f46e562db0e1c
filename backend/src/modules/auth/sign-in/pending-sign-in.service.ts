import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { digestOf, newToken } from '../../../platform/security/secrets.js';
import type { LinkedIdentity } from '../single-sign-on/external-account.service.js';
import { UserSchema } from '../entities/user.entity.js';
import { PENDING_SIGN_IN_LIFETIME } from '../shared/browser-cookies.js';
import { PendingSignInSchema } from './pending-sign-in.entity.js';

type Tables = typeof PendingSignInSchema | typeof UserSchema;

export interface PendingSignInRow {
  readonly id: number;
  readonly userId: number;
  readonly email: string;
  readonly restricted: boolean;
}

/**
 * Sign-ins that wait for the second factor, each for one browser. They end with the sessions of their person
 * (`SessionService.closeAll`), so none outlives the password that it was begun with.
 */
@Injectable()
export class PendingSignInService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Lets a sign-in wait, in the caller's transaction, which holds a lock of the person's row.
   * @param identity to be connected with the account when the sign-in is whole
   * @returns the token for the cookie, which is stored nowhere else
   */
  async createPendingSignIn(
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
        ...{ digest: digestOf(token), user_id: userId, restricted, ...times },
        ...{ issuer: identity?.issuer, subject: identity?.subject, identity_email: identity?.email },
      })
      .execute();
    return token;
  }

  /** Whose sign-in waits under this token, or null when it is unknown, over or spent. */
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
   * Spends one, in the caller's transaction: of many at the same time one gets it.
   * @returns the identity to be connected, if there is one; null when the sign-in was spent
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
}

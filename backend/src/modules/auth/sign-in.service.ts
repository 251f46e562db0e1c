import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit.service.js';
import { MINUTE } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { RateLimits, type RateRule } from '../../platform/http/rate-limits.service.js';
import { authErrors } from './auth.errors.js';
import type { User } from './entities/user.entity.js';
import { PasswordService } from './password.service.js';
import { SessionService, type SessionOrigin } from './session.service.js';
import { UserService } from './user.service.js';
import { needsProfileCompletion } from './user.policy.js';

const BY_ACCOUNT: RateRule = { name: 'sign-in', limit: 10, window: 15 * MINUTE };
const BY_ADDRESS: RateRule = { name: 'sign-in-ip', limit: 100, window: 15 * MINUTE };

export interface SignedIn {
  readonly user: User;
  readonly restricted: boolean;
  /** For the cookie. */
  readonly sid: string;
}

/** Sign-in by password. */
@Injectable()
export class SignInService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
    private readonly limits: RateLimits,
    private readonly audit: Audit,
  ) {}

  /**
   * Finds who this is. Unknown addresses and wrong passwords get the same answer in the same time.
   * @throws INVALID_CREDENTIALS, TOO_MANY_REQUESTS; ACCOUNT_DEACTIVATED only after the right password
   */
  async authenticate(email: string, password: string, origin: SessionOrigin): Promise<User> {
    await this.limits.take(BY_ADDRESS, origin.ipAddress ?? '');
    await this.limits.take(BY_ACCOUNT, email);
    const user = await this.users.findByEmail(email);
    if (!(await this.passwords.verify(user?.password ?? null, password)) || !user) {
      throw authErrors.INVALID_CREDENTIALS();
    }
    if (user.deactivatedAt) throw authErrors.ACCOUNT_DEACTIVATED();
    await this.limits.clear(BY_ACCOUNT, email);
    return user;
  }

  /** Opens a session with a new id; the one that the browser had before ends. */
  signIn(user: User, origin: SessionOrigin, previousSid: string | null): Promise<SignedIn> {
    return inTransaction(this.em, async (em) => {
      if (previousSid !== null) await this.sessions.close(previousSid);
      const restricted = needsProfileCompletion(user);
      const sid = await this.sessions.open(em, user.id, restricted, origin);
      await this.audit.record(em, {
        type: 'user.signed-in',
        actorId: user.id,
        subjectId: user.id,
        ipAddress: origin.ipAddress,
      });
      return { user, restricted, sid };
    });
  }
}

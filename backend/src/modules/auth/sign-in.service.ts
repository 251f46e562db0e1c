import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit.service.js';
import { MINUTE } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Language } from '../../platform/errors/app-error.js';
import { networkOf } from '../../platform/http/client-network.js';
import { RateLimits, type RateRule } from '../../platform/http/rate-limits.service.js';
import { authErrors } from './auth.errors.js';
import { User } from './entities/user.entity.js';
import { PasswordService } from './password.service.js';
import { SessionService, type SessionOrigin } from './session.service.js';
import { TemporaryPasswordPort } from './temporary-password.port.js';
import { UserService } from './user.service.js';
import { needsProfileCompletion } from './user.policy.js';

const BY_ACCOUNT: RateRule = { name: 'sign-in', limit: 10, window: 15 * MINUTE };
const BY_ADDRESS: RateRule = { name: 'sign-in-ip', limit: 100, window: 15 * MINUTE };

/** Somebody who has shown a password. */
export interface ProvenPerson {
  readonly email: string;
  /** Of the password that was right; null for a temporary one, which can come before the account. */
  readonly hash: string | null;
}

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
    private readonly temporary: TemporaryPasswordPort,
    private readonly sessions: SessionService,
    private readonly limits: RateLimits,
    private readonly audit: Audit,
  ) {}

  /**
   * Finds who this is, by their own password or, while they have none, by a temporary one. Unknown addresses and wrong
   * passwords get the same answer in the same time.
   * @throws INVALID_CREDENTIALS, TOO_MANY_REQUESTS; ACCOUNT_DEACTIVATED only after the right password
   */
  async authenticate(email: string, password: string, origin: SessionOrigin): Promise<ProvenPerson> {
    await this.limits.take(BY_ADDRESS, networkOf(origin.ipAddress));
    await this.limits.take(BY_ACCOUNT, email);
    const user = await this.users.findByEmail(email);
    const hash = user?.password ?? null;
    const own = await this.passwords.verify(hash, password);
    const temporary = !own && (await this.temporary.matches(email, password)) && hash === null;
    if (!own && !temporary) throw authErrors.INVALID_CREDENTIALS();
    if (user?.deactivatedAt) throw authErrors.ACCOUNT_DEACTIVATED();
    await this.forgive(email);
    return { email, hash };
  }

  /** Forgets failed tries at an account, after something that proves the person. */
  async forgive(email: string): Promise<void> {
    await this.limits.clear(BY_ACCOUNT, email);
  }

  /**
   * Opens a session with a new id; the one that the browser had before ends. A temporary password was mailed, so it
   * shows that the address is theirs, and makes the account when there is none.
   * @param language of the account that is made
   * @throws INVALID_CREDENTIALS when the password was changed meanwhile
   */
  signIn(
    proven: ProvenPerson,
    language: Language,
    origin: SessionOrigin,
    previousSid: string | null,
  ): Promise<SignedIn> {
    return inTransaction(this.em, async (em) => {
      const user = await this.person(em, proven, language);
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

  /** Locks the person, so that a new password or a deactivation comes before the session or ends it, never between. */
  private async person(em: EntityManager, { email, hash }: ProvenPerson, language: Language): Promise<User> {
    if (hash === null) await this.users.findOrCreateVerified(em, email, language);
    await em.flush();
    const lock = { lockMode: LockMode.PESSIMISTIC_READ, refresh: true };
    const user = await em.findOne(User, { email }, lock);
    if (!user || user.password !== hash || user.deactivatedAt) throw authErrors.INVALID_CREDENTIALS();
    return user;
  }
}

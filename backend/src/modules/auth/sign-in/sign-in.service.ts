import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit.service.js';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { chargePerson } from '../../../platform/database/pool/places.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { authErrors } from '../auth.errors.js';
import { DeviceRegistry, type Familiarity } from '../devices/device-registry.service.js';
import { User } from '../entities/user.entity.js';
import { PasswordService } from '../passwords/password.service.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { isOpened, SessionOpener, type Entry, type NewSession } from './session-opener.service.js';
import { TemporaryPasswordPort, type MatchedTemporaryPassword } from '../passwords/temporary-password.port.js';
import { hasOwnSignIn, needsProfileCompletion } from '../access/user.policy.js';
import { UserService, type ProvenAddress } from '../users/user.service.js';

/** Failures are forgiven by a success. Of a browser that has signed in before: strangers do not use these up. */
const BY_DEVICE: RateRule = { name: 'sign-in-device', limit: 10, window: 15 * MINUTE };
/** Of everybody else at one account, from one network, */
const BY_NETWORK: RateRule = { name: 'sign-in', limit: 10, window: 15 * MINUTE };
/** and from all networks from which its person has never signed in. */
const BY_ACCOUNT: RateRule = { name: 'sign-in-account', limit: 100, window: HOUR };
const BY_ADDRESS: RateRule = { name: 'sign-in-ip', limit: 100, window: 15 * MINUTE };

/** Somebody who has entered a correct password. */
export type ProvenPerson = { readonly email: string } & (
  | { /** Of their own password. */ readonly hash: string }
  | { readonly hash: null; /** Can be older than the account. */ readonly temporary: MatchedTemporaryPassword }
);

/** Sign-in by password. */
@Injectable()
export class SignInService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly passwords: PasswordService,
    private readonly temporary: TemporaryPasswordPort,
    private readonly sessions: SessionService,
    private readonly opener: SessionOpener,
    private readonly limits: RateLimits,
    private readonly devices: DeviceRegistry,
    private readonly audit: Audit,
  ) {}

  /**
   * Finds who this is, by their own password or, while they have no way of their own to sign in, by a temporary one. Unknown addresses and wrong
   * passwords get the same answer in the same time.
   * @throws INVALID_CREDENTIALS, TOO_MANY_REQUESTS; ACCOUNT_DEACTIVATED only after the right password
   */
  async authenticate(email: string, password: string, origin: SessionOrigin): Promise<ProvenPerson> {
    await this.limits.spend(BY_ADDRESS, networkOf(origin.ipAddress));
    const familiarity = await this.count(email, origin);
    const user = await this.users.findByEmail(email);
    const hash = user?.password ?? null;
    const own = await this.passwords.verify(hash, password);
    const temporary = own ? null : await this.temporary.match(email, password);
    const proven = own && hash !== null ? { email, hash } : temporary && { email, hash: null, temporary };
    if (!proven || (proven.hash === null && user && hasOwnSignIn(user))) throw authErrors.INVALID_CREDENTIALS();
    if (user?.deactivatedAt) throw authErrors.ACCOUNT_DEACTIVATED();
    await this.forgive(email, origin);
    if (familiarity === 'unknown') await this.limits.refund(BY_ACCOUNT, email);
    return proven;
  }

  /** Forgets failed tries at an account from here, after something that proves the person. */
  async forgive(email: string, origin: SessionOrigin): Promise<void> {
    await this.limits.clear(BY_DEVICE, `${email} ${origin.device ?? ''}`);
    await this.limits.clear(BY_NETWORK, `${email} ${networkOf(origin.ipAddress)}`);
  }

  /** Forgets all failed tries at an account, from wherever: its password is a new one. */
  async forgiveAll(email: string, origin: SessionOrigin): Promise<void> {
    await this.forgive(email, origin);
    await this.limits.clear(BY_ACCOUNT, email);
  }

  /** Counts a try before it is judged: who tries from elsewhere must not lock out the person at their own browser. */
  private async count(email: string, origin: SessionOrigin): Promise<Familiarity> {
    const familiarity = await this.devices.familiarity(email, origin);
    if (familiarity === 'device') {
      await this.limits.spend(BY_DEVICE, `${email} ${origin.device ?? ''}`);
      return familiarity;
    }
    await this.limits.spend(BY_NETWORK, `${email} ${networkOf(origin.ipAddress)}`);
    if (familiarity === 'unknown') await this.limits.spend(BY_ACCOUNT, email);
    return familiarity;
  }

  /**
   * Opens a session with a new id, and the one that the browser had before ends; or lets the sign-in wait for a second
   * factor. A temporary password was mailed, so it proves the address, and creates the account when there is none. The
   * session that creates an account counts as confirmed, since the account has no other owner; one that opens an account
   * in use doesn't, since the email may have been forwarded.
   * @param language of the account that is created
   * @returns the session and whether it counts as confirmed
   * @throws INVALID_CREDENTIALS when the password was changed meanwhile
   */
  signIn(
    proven: ProvenPerson,
    language: Language,
    origin: SessionOrigin,
    previousSid: string | null,
  ): Promise<{ entry: Entry; confirmed: boolean }> {
    chargePerson(proven.email);
    return inTransaction(this.em, async (em) => {
      const { user, confirmed } = await this.lockPerson(em, proven, language);
      const restricted = proven.hash === null && needsProfileCompletion(user);
      const entry = await this.enter(em, user, origin, previousSid, { restricted, confirmed });
      return { entry, confirmed };
    });
  }

  /**
   * Lets somebody in who has shown by one way who they are, in the caller's transaction, which holds the lock of the
   * person's row.
   * @param how whether the session counts as confirmed, whether it may only finish the profile, and an identity to be
   * connected when the sign-in is whole
   * @throws SSO_LINKED_ELSEWHERE
   */
  async enter(
    em: EntityManager,
    user: User,
    origin: SessionOrigin,
    previousSid: string | null,
    how: Pick<NewSession, 'confirmed'> & Partial<Omit<NewSession, 'origin'>>,
  ): Promise<Entry> {
    const entry = await this.opener.enter(em, user, { origin, restricted: false, ...how });
    if (!isOpened(entry)) return entry;
    if (previousSid !== null) await this.sessions.close(previousSid);
    await this.audit.record(em, {
      type: 'user.signed-in',
      actorId: user.id,
      subjectId: user.id,
      ipAddress: origin.ipAddress,
    });
    return entry;
  }

  /** Locks the person, so that a new password or a deactivation comes before the session or ends it, never between. */
  private async lockPerson(em: EntityManager, proven: ProvenPerson, language: Language) {
    const { email, hash } = proven;
    const address = hash === null ? await this.users.proveAddress(em, email, language) : null;
    await em.flush();
    const lock = { lockMode: LockMode.PESSIMISTIC_READ, refresh: true };
    const user = await em.findOne(User, { email }, lock);
    if (!user || user.password !== hash || user.deactivatedAt) throw authErrors.INVALID_CREDENTIALS();
    if (proven.hash !== null || address === null) return { user, confirmed: true };
    if (hasOwnSignIn(user)) throw authErrors.INVALID_CREDENTIALS();
    return { user, confirmed: isProvenBy(proven.temporary, address) };
  }
}

/** Whether a temporary password proves who owns the account: never that of a super admin, who can do the most harm. */
function isProvenBy({ provesUnusedAccount }: MatchedTemporaryPassword, { user, before }: ProvenAddress): boolean {
  return !user.isSuperAdmin && (before === 'absent' || (before === 'unverified' && provesUnusedAccount));
}

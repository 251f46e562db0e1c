import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { setPoolTenantPerson } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { authErrors } from '../auth.errors.js';
import { KnownDeviceService, type DeviceTrust } from '../devices/known-device.service.js';
import { User } from '../entities/user.entity.js';
import { PasswordHashService } from '../passwords/password-hash.service.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import {
  isSessionCreated,
  SessionIssuerService,
  type SignInResult,
  type SessionRequest,
} from './session-issuer.service.js';
import { TemporaryPasswordPort, type MatchedTemporaryPassword } from '../passwords/temporary-password.port.js';
import { hasPermanentSignIn, needsProfileCompletion } from '../access/user.policy.js';
import { UserService, type VerifiedEmailResult } from '../users/user.service.js';

/** Failures are forgiven by a success. Of a browser that has signed in before: strangers do not use these up. */
const LIMIT_PER_DEVICE: RateRule = { name: 'sign-in-device', limit: 10, window: 15 * MINUTE };
/** Of everybody else at one account, from one network, */
const LIMIT_PER_NETWORK: RateRule = { name: 'sign-in', limit: 10, window: 15 * MINUTE };
/** and from all networks from which its person has never signed in. */
const LIMIT_PER_ACCOUNT: RateRule = { name: 'sign-in-account', limit: 100, window: HOUR };
const LIMIT_PER_IP: RateRule = { name: 'sign-in-ip', limit: 100, window: 15 * MINUTE };

/** Somebody who has entered a correct password. */
export type VerifiedCredentials = { readonly email: string } & (
  | { /** Of their own password. */ readonly hash: string }
  | { readonly hash: null; /** Can be older than the account. */ readonly temporary: MatchedTemporaryPassword }
);

/** Sign-in by password. */
@Injectable()
export class SignInService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly passwords: PasswordHashService,
    private readonly temporaryPasswords: TemporaryPasswordPort,
    private readonly sessions: SessionService,
    private readonly sessionIssuer: SessionIssuerService,
    private readonly limits: RateLimitService,
    private readonly devices: KnownDeviceService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Finds who this is, by their own password or, while they have no way of their own to sign in, by a temporary one. Unknown addresses and wrong
   * passwords get the same answer in the same time.
   * @throws INVALID_CREDENTIALS, TOO_MANY_REQUESTS; ACCOUNT_DEACTIVATED only after the right password
   */
  async verifyCredentials(email: string, password: string, origin: SessionOrigin): Promise<VerifiedCredentials> {
    await this.limits.consume(LIMIT_PER_IP, networkOf(origin.ipAddress));
    const deviceTrust = await this.countAttempt(email, origin);
    const user = await this.users.findByEmail(email);
    const hash = user?.password ?? null;
    const isOwnPassword = await this.passwords.verify(hash, password);
    const temporary = isOwnPassword ? null : await this.temporaryPasswords.matchPassword(email, password);
    const verified = isOwnPassword && hash !== null ? { email, hash } : temporary && { email, hash: null, temporary };
    if (!verified || (verified.hash === null && user && hasPermanentSignIn(user)))
      throw authErrors.INVALID_CREDENTIALS();
    if (user?.deactivatedAt) throw authErrors.ACCOUNT_DEACTIVATED();
    await this.resetFailedAttempts(email, origin);
    if (deviceTrust === 'unknown') await this.limits.refund(LIMIT_PER_ACCOUNT, email);
    return verified;
  }

  /** Forgets failed tries at an account from here, after something that proves the person. */
  async resetFailedAttempts(email: string, origin: SessionOrigin): Promise<void> {
    await this.limits.reset(LIMIT_PER_DEVICE, `${email} ${origin.device ?? ''}`);
    await this.limits.reset(LIMIT_PER_NETWORK, `${email} ${networkOf(origin.ipAddress)}`);
  }

  /** Forgets all failed tries at an account, from wherever: its password is a new one. */
  async resetAllFailedAttempts(email: string, origin: SessionOrigin): Promise<void> {
    await this.resetFailedAttempts(email, origin);
    await this.limits.reset(LIMIT_PER_ACCOUNT, email);
  }

  /** Counts a try before it is judged: who tries from elsewhere must not lock out the person at their own browser. */
  private async countAttempt(email: string, origin: SessionOrigin): Promise<DeviceTrust> {
    const deviceTrust = await this.devices.getDeviceTrust(email, origin);
    if (deviceTrust === 'device') {
      await this.limits.consume(LIMIT_PER_DEVICE, `${email} ${origin.device ?? ''}`);
      return deviceTrust;
    }
    await this.limits.consume(LIMIT_PER_NETWORK, `${email} ${networkOf(origin.ipAddress)}`);
    if (deviceTrust === 'unknown') await this.limits.consume(LIMIT_PER_ACCOUNT, email);
    return deviceTrust;
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
    credentials: VerifiedCredentials,
    language: Language,
    origin: SessionOrigin,
    previousSid: string | null,
  ): Promise<{ signInResult: SignInResult; confirmed: boolean }> {
    setPoolTenantPerson(credentials.email);
    return inTransaction(this.em, async (em) => {
      const { user, confirmed } = await this.lockUser(em, credentials, language);
      const restricted = credentials.hash === null && needsProfileCompletion(user);
      const signInResult = await this.createSession(em, user, origin, previousSid, { restricted, confirmed });
      return { signInResult, confirmed };
    });
  }

  /**
   * Lets somebody in who has shown by one way who they are, in the caller's transaction, which holds the lock of the
   * person's row.
   * @param how whether the session counts as confirmed, whether it may only finish the profile, and an identity to be
   * connected when the sign-in is whole
   * @throws SSO_LINKED_ELSEWHERE
   */
  async createSession(
    em: EntityManager,
    user: User,
    origin: SessionOrigin,
    previousSid: string | null,
    options: Pick<SessionRequest, 'confirmed'> & Partial<Omit<SessionRequest, 'origin'>>,
  ): Promise<SignInResult> {
    const signIn = await this.sessionIssuer.createSession(em, user, { origin, restricted: false, ...options });
    if (!isSessionCreated(signIn)) return signIn;
    if (previousSid !== null) await this.sessions.endSessionById(previousSid);
    await this.audit.record(em, {
      type: 'user.signed-in',
      actorId: user.id,
      subjectId: user.id,
      ipAddress: origin.ipAddress,
    });
    return signIn;
  }

  /** Locks the person, so that a new password or a deactivation comes before the session or ends it, never between. */
  private async lockUser(em: EntityManager, credentials: VerifiedCredentials, language: Language) {
    const { email, hash } = credentials;
    const address = hash === null ? await this.users.findOrCreateVerifiedWithState(em, email, language) : null;
    await em.flush();
    const lock = { lockMode: LockMode.PESSIMISTIC_READ, refresh: true };
    const user = await em.findOne(User, { email }, lock);
    if (!user || user.password !== hash || user.deactivatedAt) throw authErrors.INVALID_CREDENTIALS();
    if (credentials.hash !== null || address === null) return { user, confirmed: true };
    if (hasPermanentSignIn(user)) throw authErrors.INVALID_CREDENTIALS();
    return { user, confirmed: provesAccountOwner(credentials.temporary, address) };
  }
}

/** Whether a temporary password proves who owns the account: never that of a super admin, who can do the most harm. */
function provesAccountOwner(
  { provesUnusedAccount }: MatchedTemporaryPassword,
  { user, previousState }: VerifiedEmailResult,
): boolean {
  return !user.isSuperAdmin && (previousState === 'absent' || (previousState === 'unverified' && provesUnusedAccount));
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { setPoolTenantPerson } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { authErrors } from '../auth.errors.js';
import { KnownDeviceService, type DeviceTrust } from '../devices/known-device.service.js';
import type { User } from '../entities/user.entity.js';
import { PasswordHashService } from '../passwords/password-hash.service.js';
import { SessionRepository } from '../sessions/session.repository.js';
import type { SessionOrigin } from '../sessions/session.service.js';
import {
  isSessionCreated,
  SessionIssuerService,
  type SignInResult,
  type SessionRequest,
} from './session-issuer.service.js';
import { TemporaryPasswordPort, type MatchedTemporaryPassword } from '../passwords/temporary-password.port.js';
import { hasPermanentSignIn, needsProfileCompletion } from '../access/user.policy.js';
import { UserRepository } from '../users/user.repository.js';
import { UserService, type VerifiedEmailResult } from '../users/user.service.js';

/** Per known browser, so that strangers can't use it up. A success resets the count. */
const LIMIT_PER_DEVICE: RateRule = { name: 'sign-in-device', limit: 10, window: 15 * MINUTE };
/** Per account and network, for unknown browsers. */
const LIMIT_PER_NETWORK: RateRule = { name: 'sign-in', limit: 10, window: 15 * MINUTE };
/** Per account, for all networks the user has never signed in from. */
const LIMIT_PER_ACCOUNT: RateRule = { name: 'sign-in-account', limit: 100, window: HOUR };
const LIMIT_PER_IP: RateRule = { name: 'sign-in-ip', limit: 100, window: 15 * MINUTE };

/** The result of entering a correct password. */
export type VerifiedCredentials = { readonly email: string } & (
  | { /** Hash of the user's own password. */ readonly hash: string }
  | { readonly hash: null; /** Can be older than the account. */ readonly temporary: MatchedTemporaryPassword }
);

/** Sign-in by password. */
@Injectable()
export class SignInService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly passwords: PasswordHashService,
    private readonly temporaryPasswords: TemporaryPasswordPort,
    private readonly sessions: SessionRepository,
    private readonly sessionIssuer: SessionIssuerService,
    private readonly limits: RateLimitService,
    private readonly devices: KnownDeviceService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Verifies the user's own password or, for users with no permanent way to sign in, a temporary one. Unknown addresses
   * and wrong passwords give the same error after the same time.
   * @throws INVALID_CREDENTIALS, TOO_MANY_REQUESTS; ACCOUNT_DEACTIVATED only after a correct password
   */
  async verifyCredentials(email: string, password: string, origin: SessionOrigin): Promise<VerifiedCredentials> {
    await this.limits.consume(LIMIT_PER_IP, networkOf(origin.ipAddress));
    const deviceTrust = await this.countAttempt(email, origin);
    const user = await this.userRepository.findUserByEmail(email);
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

  /** Resets the failed attempts at an account from this origin, after proof of identity. */
  async resetFailedAttempts(email: string, origin: SessionOrigin): Promise<void> {
    await this.limits.reset(LIMIT_PER_DEVICE, `${email} ${origin.device ?? ''}`);
    await this.limits.reset(LIMIT_PER_NETWORK, `${email} ${networkOf(origin.ipAddress)}`);
  }

  /** Resets the failed attempts at an account from everywhere, because its password is new. */
  async resetAllFailedAttempts(email: string, origin: SessionOrigin): Promise<void> {
    await this.resetFailedAttempts(email, origin);
    await this.limits.reset(LIMIT_PER_ACCOUNT, email);
  }

  /** Counts an attempt before it is verified. Attempts from elsewhere must not lock users out in their own browser. */
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
   * Creates a session and ends the browser's previous one, or holds the sign-in for a second factor. A temporary
   * password was emailed, so it verifies the address, and creates the account if there is none. The session that
   * creates an account counts as confirmed, since the account has no other owner; one that opens an account in use
   * doesn't, since the email may have been forwarded.
   * @param language of an account that is created
   * @returns the session and whether it counts as confirmed
   * @throws INVALID_CREDENTIALS if the password has since been changed
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
   * Signs in a user who has authenticated with one factor, in the caller's transaction, which must hold the lock of the
   * user's row.
   * @param options whether the session counts as confirmed, whether it may only complete the profile, and an identity
   * to be linked when the sign-in is complete
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
    if (previousSid !== null) await this.sessions.deleteSessionOfCookie(previousSid);
    await this.audit.record(em, {
      type: 'user.signed-in',
      actorId: user.id,
      subjectId: user.id,
      ipAddress: origin.ipAddress,
    });
    return signIn;
  }

  /**
   * Locks the user, so that a password change or deactivation comes before the session or ends it, never in between.
   */
  private async lockUser(em: EntityManager, credentials: VerifiedCredentials, language: Language) {
    const { email, hash } = credentials;
    const address = hash === null ? await this.users.findOrCreateVerifiedWithState(em, email, language) : null;
    await this.userRepository.saveUsers(em);
    const user = await this.userRepository.lockUserByEmailShared(em, email);
    if (!user || user.password !== hash || user.deactivatedAt) throw authErrors.INVALID_CREDENTIALS();
    if (credentials.hash !== null || address === null) return { user, confirmed: true };
    if (hasPermanentSignIn(user)) throw authErrors.INVALID_CREDENTIALS();
    return { user, confirmed: provesAccountOwner(credentials.temporary, address) };
  }
}

/** Whether a temporary password proves who owns the account. Never for a super admin, who can do the most harm. */
function provesAccountOwner(
  { provesUnusedAccount }: MatchedTemporaryPassword,
  { user, previousState }: VerifiedEmailResult,
): boolean {
  return !user.isSuperAdmin && (previousState === 'absent' || (previousState === 'unverified' && provesUnusedAccount));
}

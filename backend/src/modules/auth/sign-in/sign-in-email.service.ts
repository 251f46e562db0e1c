import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../../platform/clock/clock.js';
import { setPoolTenantPerson } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { AppError } from '../../../platform/errors/app-error.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../auth.errors.js';
import { sendSignInEmail } from '../auth.jobs.js';
import { KnownDeviceService } from '../devices/known-device.service.js';
import { VerificationCodeRepository } from '../registration/verification-code.repository.js';
import { VerificationCodeService } from '../registration/verification-code.service.js';
import type { SessionOrigin } from '../sessions/session.service.js';
import { RequesterFingerprintService } from '../shared/requester-fingerprint.service.js';
import type { SignInResult } from './session-issuer.service.js';
import { SignInService } from './sign-in.service.js';
import { SingleUseTokenRepository } from '../tokens/single-use-token.repository.js';
import { UserRepository } from '../users/user.repository.js';
import { UserService } from '../users/user.service.js';

/** Limits per known browser, per network for all others, and for all networks together. */
const EMAILS_PER_DEVICE: RateRule = { name: 'sign-in-mail-device', limit: 5, window: HOUR };
const EMAILS_PER_NETWORK: RateRule = { name: 'sign-in-mail', limit: 5, window: HOUR };
const EMAILS_PER_ADDRESS: RateRule = { name: 'sign-in-mail-all', limit: 20, window: HOUR };

/**
 * Sign-in without a password: one email with a link and a 6-digit code, either of which works once. Access to the
 * mailbox is enough, as for a password reset, but a second factor is still required.
 */
@Injectable()
export class SignInEmailService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly tokens: SingleUseTokenRepository,
    private readonly codes: VerificationCodeService,
    private readonly codeRepository: VerificationCodeRepository,
    private readonly signIns: SignInService,
    private readonly limits: RateLimitService,
    private readonly devices: KnownDeviceService,
    private readonly requesters: RequesterFingerprintService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Sends the email if there is an account. The work here is the same either way: the job looks up the account.
   * @param next path of this site to which the link redirects
   * @throws TOO_MANY_REQUESTS
   */
  async requestSignInEmail(email: string, next: string | null, origin: SessionOrigin): Promise<void> {
    const deviceTrust = await this.devices.getDeviceTrust(email, origin);
    if (deviceTrust === 'device') {
      await this.limits.consume(EMAILS_PER_DEVICE, `${email} ${origin.device ?? ''}`);
    } else {
      await this.limits.consume(EMAILS_PER_NETWORK, `${email} ${networkOf(origin.ipAddress)}`);
      await this.limits.consume(EMAILS_PER_ADDRESS, email);
    }
    const from = await this.requesters.describeRequest(email, origin, deviceTrust);
    await this.jobs.enqueue(this.em, sendSignInEmail, { email, next, from });
  }

  /** Tells whether `signInByLink` would accept the link now. Discloses nothing else and changes nothing. */
  async isLinkUsable(token: string): Promise<boolean> {
    return (await this.findUsableLink(token)) !== null;
  }

  /**
   * Signs in by the emailed link.
   * @throws TOKEN_INVALID for an unknown, used or expired link (the cases are not distinguished); of two tabs, only one
   * succeeds
   */
  async signInByLink(token: string, origin: SessionOrigin, previousSid: string | null): Promise<SignInResult> {
    const found = await this.findUsableLink(token);
    if (!found) throw authErrors.TOKEN_INVALID();
    const consume = (em: EntityManager) => this.tokens.consumeToken(em, found.id);
    return this.completeSignIn(found.userId, consume, authErrors.TOKEN_INVALID, origin, previousSid);
  }

  /**
   * Signs in by the emailed code.
   * @throws CODE_INVALID for a wrong, used, expired or too often tried code and an unknown address (the cases are not
   * distinguished)
   */
  async signInByCode(
    email: string,
    code: string,
    origin: SessionOrigin,
    previousSid: string | null,
  ): Promise<SignInResult> {
    const codeId = await this.codes.verifyCode(
      email,
      'sign-in',
      code,
      this.requesters.listPossibleFingerprints(email, origin),
    );
    const user = await this.userRepository.findUserByEmail(email);
    if (!user) throw authErrors.CODE_INVALID();
    const consume = async (em: EntityManager) => {
      await this.codes.consumeCode(em, codeId);
      return true;
    };
    return this.completeSignIn(user.id, consume, authErrors.CODE_INVALID, origin, previousSid);
  }

  private completeSignIn(
    userId: number,
    consume: (em: EntityManager) => Promise<boolean>,
    createError: () => AppError,
    origin: SessionOrigin,
    previousSid: string | null,
  ): Promise<SignInResult> {
    setPoolTenantPerson(userId);
    return inTransaction(this.em, async (em) => {
      const user = await this.userRepository.lockUser(em, userId);
      if (user.deactivatedAt || !(await consume(em))) throw createError();
      await this.codeRepository.revokeCodes(em, user.email, 'sign-in');
      await this.tokens.revokeTokens(em, { email: user.email, purpose: 'sign-in' });
      await this.users.markEmailVerified(em, user);
      return this.signIns.createSession(em, user, origin, previousSid, { confirmed: false });
    });
  }

  /** Returns an open link with its user, or null. */
  private async findUsableLink(token: string): Promise<{ id: number; userId: number } | null> {
    const found = await this.tokens.findToken(token, 'sign-in');
    if (!found || found.usedAt || found.isExpired) return null;
    const user = await this.userRepository.findUserByEmail(found.email);
    return user && !user.deactivatedAt ? { id: found.id, userId: user.id } : null;
  }
}

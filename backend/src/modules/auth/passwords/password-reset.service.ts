import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository, type AuditRecord } from '../../../platform/audit/audit.repository.js';
import { HOUR } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { setPoolTenantPerson } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../auth.errors.js';
import { canReceiveAccountInvitation } from '../access/user.policy.js';
import { CredentialService } from './credential.service.js';
import { RequesterFingerprintService } from '../shared/requester-fingerprint.service.js';
import { KnownDeviceService } from '../devices/known-device.service.js';
import type { ResetPasswordDto } from '../dto/password.dto.js';
import { sendPasswordReset, notifySecurityEvent } from '../auth.jobs.js';
import type { User } from '../entities/user.entity.js';
import type { SessionOrigin } from '../sessions/session.service.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import {
  ACCOUNT_INVITATION,
  SingleUseTokenRepository,
  type StoredToken,
} from '../tokens/single-use-token.repository.js';
import { UserRepository } from '../users/user.repository.js';
import { UserService } from '../users/user.service.js';

/** Limits per known browser, per network for all others, and for all networks together. */
const EMAILS_PER_DEVICE: RateRule = { name: 'reset-device', limit: 5, window: HOUR };
const EMAILS_PER_NETWORK: RateRule = { name: 'reset', limit: 5, window: HOUR };
const EMAILS_PER_ADDRESS: RateRule = { name: 'reset-all', limit: 20, window: HOUR };

/** Sets a new password by an emailed link, for users who forgot theirs or never had one. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly tokens: SingleUseTokenRepository,
    private readonly credentials: CredentialService,
    private readonly signIns: SignInService,
    private readonly limits: RateLimitService,
    private readonly devices: KnownDeviceService,
    private readonly requesters: RequesterFingerprintService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
    private readonly config: AppConfig,
  ) {}

  /** Emails a link if there is an account. The work here is the same either way: the job looks up the account. */
  async requestReset(email: string, origin: SessionOrigin): Promise<void> {
    const deviceTrust = await this.devices.getDeviceTrust(email, origin);
    if (deviceTrust === 'device') {
      await this.limits.consume(EMAILS_PER_DEVICE, `${email} ${origin.device ?? ''}`);
    } else {
      await this.limits.consume(EMAILS_PER_NETWORK, `${email} ${networkOf(origin.ipAddress)}`);
      await this.limits.consume(EMAILS_PER_ADDRESS, email);
    }
    const from = await this.requesters.describeRequest(email, origin, deviceTrust);
    await this.jobs.enqueue(this.em, sendPasswordReset, { email, from });
  }

  /**
   * Sets the password, which also verifies the address. Ends all sessions and creates none.
   * @throws TOKEN_INVALID for an unknown, used or expired link (the cases are not distinguished); of two tabs, only one
   * succeeds
   * @throws PASSWORD_UNCHANGED; the link then stays valid
   */
  async resetPassword({ token, password }: ResetPasswordDto, origin: SessionOrigin): Promise<void> {
    const found = await this.findUsableLink(token);
    if (!found) throw authErrors.TOKEN_INVALID();
    const hash = await this.users.validateAndHashPassword(password, 'password', found.user);
    await this.credentials.assertPasswordChanged(found.user, password, 'password');
    setPoolTenantPerson(found.user.id);
    await inTransaction(this.em, async (em) => {
      const user = await this.userRepository.lockUser(em, found.user.id);
      if (!this.isTokenValidFor(found.token, user)) throw authErrors.TOKEN_INVALID();
      if (!(await this.tokens.consumeToken(em, found.token.id))) throw authErrors.TOKEN_INVALID();
      await this.users.markEmailVerified(em, user);
      await this.credentials.replacePassword(em, user, hash);
      const fact: AuditRecord = { type: 'user.password-reset', actorId: user.id, subjectId: user.id };
      await this.audit.record(em, { ...fact, ipAddress: origin.ipAddress });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId: user.id, event: 'password-reset' });
    });
    await this.signIns.resetAllFailedAttempts(found.user.email, origin);
  }

  /**
   * Tells whether `resetPassword` would accept the link now, and whether it sets the account's first password.
   * Discloses nothing else.
   */
  async checkLink(token: string): Promise<{ usable: boolean; isFirst: boolean }> {
    const found = await this.findUsableLink(token);
    return { usable: found !== null, isFirst: found !== null && found.user.password === null };
  }

  /** Returns an open link with its user, or null. */
  private async findUsableLink(token: string) {
    const found = await this.tokens.findToken(token, 'reset-password');
    if (!found || found.usedAt || found.isExpired) return null;
    const user = await this.userRepository.findUserByEmail(found.email);
    return user && this.isTokenValidFor(found, user) ? { token: found, user } : null;
  }

  /**
   * An administrator's invitation lives for 7 days and may be forwarded, so it sets the first password only of an
   * account that nobody has used yet, and never that of a super admin. The link that a user requests lives for an hour
   * and works for any active account.
   */
  private isTokenValidFor({ subject }: StoredToken, user: User): boolean {
    if (user.deactivatedAt) return false;
    return subject !== ACCOUNT_INVITATION || canReceiveAccountInvitation(user, this.config.superAdminEmail);
  }
}

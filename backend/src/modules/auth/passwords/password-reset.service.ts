import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit, type AuditFact } from '../../../platform/audit/audit.service.js';
import { HOUR } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { chargePerson } from '../../../platform/database/pool/places.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../auth.errors.js';
import { isInvitable } from '../access/user.policy.js';
import { CredentialService } from './credential.service.js';
import { Askers } from '../shared/askers.service.js';
import { DeviceRegistry } from '../devices/device-registry.service.js';
import type { ResetPasswordDto } from '../dto/password.dto.js';
import { sendPasswordReset, tellSecurityEvent } from '../auth.jobs.js';
import type { User } from '../entities/user.entity.js';
import type { SessionOrigin } from '../sessions/session.service.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { ACCOUNT_INVITATION, SingleUseTokenService, type StoredToken } from '../tokens/single-use-token.service.js';
import { UserService } from '../users/user.service.js';

/** Of a browser that has signed in before, of everybody else from one network, and of all of these together. */
const MAILS_BY_DEVICE: RateRule = { name: 'reset-device', limit: 5, window: HOUR };
const MAILS_BY_NETWORK: RateRule = { name: 'reset', limit: 5, window: HOUR };
const MAILS_BY_EMAIL: RateRule = { name: 'reset-all', limit: 20, window: HOUR };

/** A new password by a mailed link, for who does not know the old one or never had one. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly tokens: SingleUseTokenService,
    private readonly credentials: CredentialService,
    private readonly signIns: SignInService,
    private readonly limits: RateLimits,
    private readonly devices: DeviceRegistry,
    private readonly askers: Askers,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
    private readonly config: AppConfig,
  ) {}

  /** Has a link sent, if there is an account. The work here is the same either way: the job looks, not the request. */
  async ask(email: string, origin: SessionOrigin): Promise<void> {
    const familiarity = await this.devices.familiarity(email, origin);
    if (familiarity === 'device') {
      await this.limits.spend(MAILS_BY_DEVICE, `${email} ${origin.device ?? ''}`);
    } else {
      await this.limits.spend(MAILS_BY_NETWORK, `${email} ${networkOf(origin.ipAddress)}`);
      await this.limits.spend(MAILS_BY_EMAIL, email);
    }
    const from = await this.askers.note(email, origin, familiarity);
    await this.jobs.enqueue(this.em, sendPasswordReset, { email, from });
  }

  /**
   * Sets the password, which also shows that the address is theirs. All sessions end; none is opened.
   * @throws TOKEN_INVALID for an unknown, used or expired link, all alike; of two tabs at once one gets it
   * @throws PASSWORD_UNCHANGED, and the link stays good
   */
  async reset({ token, password }: ResetPasswordDto, origin: SessionOrigin): Promise<void> {
    const found = await this.find(token);
    if (!found) throw authErrors.TOKEN_INVALID();
    const hash = await this.users.hashNew(password, 'password', found.user);
    await this.credentials.refuseUnchanged(found.user, password, 'password');
    chargePerson(found.user.id);
    await inTransaction(this.em, async (em) => {
      const user = await this.users.lock(em, found.user.id);
      if (!this.isGoodFor(found.token, user)) throw authErrors.TOKEN_INVALID();
      if (!(await this.tokens.use(em, found.token.id))) throw authErrors.TOKEN_INVALID();
      await this.users.markVerified(em, user);
      await this.credentials.replace(em, user, hash);
      const fact: AuditFact = { type: 'user.password-reset', actorId: user.id, subjectId: user.id };
      await this.audit.record(em, { ...fact, ipAddress: origin.ipAddress });
      await this.jobs.enqueue(em, tellSecurityEvent, { userId: user.id, event: 'password-reset' });
    });
    await this.signIns.forgiveAll(found.user.email, origin);
  }

  /**
   * Whether `reset` would take the link at this moment, and whether it sets the account's first password; nothing else of
   * it is told.
   */
  async look(token: string): Promise<{ usable: boolean; isFirst: boolean }> {
    const found = await this.find(token);
    return { usable: found !== null, isFirst: found !== null && found.user.password === null };
  }

  /** An open link with its person, or null. */
  private async find(token: string) {
    const found = await this.tokens.find(token, 'reset-password');
    if (!found || found.usedAt || found.expired) return null;
    const user = await this.users.findByEmail(found.email);
    return user && this.isGoodFor(found, user) ? { token: found, user } : null;
  }

  /**
   * An administrator's invitation lives for 7 days and may be forwarded, so it sets the first password only of an account
   * that nobody has used yet, and never that of a super admin. The link that a person requests lives for an hour and
   * works at any time.
   */
  private isGoodFor({ subject }: StoredToken, user: User): boolean {
    if (user.deactivatedAt) return false;
    return subject !== ACCOUNT_INVITATION || isInvitable(user, this.config.superAdminEmail);
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit, type AuditFact } from '../../platform/audit/audit.service.js';
import { HOUR } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { networkOf } from '../../platform/http/client-network.js';
import { RateLimits, type RateRule } from '../../platform/http/rate-limits.service.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { authErrors } from './auth.errors.js';
import { CredentialService } from './credential.service.js';
import type { ResetPasswordDto } from './dto/password.dto.js';
import { sendPasswordReset } from './send-password-reset.job.js';
import type { SessionOrigin } from './session.service.js';
import { SignInService } from './sign-in.service.js';
import { SingleUseTokenService } from './single-use-token.service.js';
import { tellSecurityEvent } from './tell-security-event.job.js';
import { UserService } from './user.service.js';

const MAILS_BY_EMAIL: RateRule = { name: 'reset', limit: 5, window: HOUR };
const MAILS_BY_ADDRESS: RateRule = { name: 'reset-ip', limit: 100, window: HOUR };
const TRIES_BY_ADDRESS: RateRule = { name: 'reset-try-ip', limit: 100, window: HOUR };

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
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /** Has a link sent, if there is an account. The work here is the same either way: the job looks, not the request. */
  async ask(email: string, origin: SessionOrigin): Promise<void> {
    await this.limits.take(MAILS_BY_ADDRESS, networkOf(origin.ipAddress));
    await this.limits.take(MAILS_BY_EMAIL, email);
    await this.jobs.enqueue(this.em, sendPasswordReset, { email });
  }

  /**
   * Sets the password, which also shows that the address is theirs. All sessions end; none is opened.
   * @throws TOKEN_INVALID for an unknown, used or expired link, all alike; of two tabs at once one gets it
   * @throws PASSWORD_UNCHANGED, and the link stays good
   */
  async reset({ token, password }: ResetPasswordDto, origin: SessionOrigin): Promise<void> {
    await this.limits.take(TRIES_BY_ADDRESS, networkOf(origin.ipAddress));
    const found = await this.find(token);
    if (!found) throw authErrors.TOKEN_INVALID();
    const hash = await this.users.hashNew(password, 'password');
    await this.credentials.refuseUnchanged(found.user, password, 'password');
    await inTransaction(this.em, async (em) => {
      const user = await this.users.lock(em, found.user.id);
      if (user.deactivatedAt) throw authErrors.TOKEN_INVALID();
      if (!(await this.tokens.use(em, found.id))) throw authErrors.TOKEN_INVALID();
      await this.users.markVerified(em, user);
      await this.credentials.replace(em, user, hash);
      const fact: AuditFact = { type: 'user.password-reset', actorId: user.id, subjectId: user.id };
      await this.audit.record(em, { ...fact, ipAddress: origin.ipAddress });
      await this.jobs.enqueue(em, tellSecurityEvent, { userId: user.id, event: 'password-reset' });
    });
    await this.signIns.forgive(found.user.email);
  }

  /** Whether `reset` would take the link at this moment; nothing else of it is told. */
  async isUsable(token: string, origin: SessionOrigin): Promise<boolean> {
    await this.limits.take(TRIES_BY_ADDRESS, networkOf(origin.ipAddress));
    return (await this.find(token)) !== null;
  }

  /** An open link with its person, or null. */
  private async find(token: string) {
    const found = await this.tokens.find(token, 'reset-password');
    if (!found || found.usedAt || found.expired) return null;
    const user = await this.users.findByEmail(found.email);
    return user && !user.deactivatedAt ? { id: found.id, user } : null;
  }
}

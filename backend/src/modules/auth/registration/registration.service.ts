import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language, Sentence } from '../../../platform/errors/app-error.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { Audit } from '../../../platform/audit/audit.service.js';
import { MailHealth } from '../../../platform/mail/mail-health.service.js';
import { addressNotTaken, SmtpUtf8 } from '../../../platform/mail/smtp-utf8.service.js';
import { fieldError } from '../../../platform/http/reading/validation.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../auth.errors.js';
import { CredentialService } from '../passwords/credential.service.js';
import { Askers } from '../shared/askers.service.js';
import type { CheckPasswordDto } from '../dto/password.dto.js';
import type { RegisterDto } from '../dto/register.dto.js';
import { PasswordStrength } from '../passwords/password-strength.service.js';
import { sendVerificationCode } from '../auth.jobs.js';
import type { SessionOrigin } from '../sessions/session.service.js';
import { SessionOpener, type Entry } from '../sign-in/session-opener.service.js';
import { UserService } from '../users/user.service.js';
import { VerificationCodeService } from './verification-code.service.js';

/** At one address from one network; and from all, so that a stranger who asks leaves its person some. */
const CODES_BY_NETWORK: RateRule = { name: 'code', limit: 5, window: HOUR };
const CODES_BY_EMAIL: RateRule = { name: 'code-all', limit: 15, window: HOUR };

/** Registration: a code to the address, then the account. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly em: EntityManager,
    private readonly codes: VerificationCodeService,
    private readonly users: UserService,
    private readonly strength: PasswordStrength,
    private readonly credentials: CredentialService,
    private readonly opener: SessionOpener,
    private readonly limits: RateLimits,
    private readonly askers: Askers,
    private readonly jobs: Jobs,
    private readonly mail: MailHealth,
    private readonly utf8: SmtpUtf8,
    private readonly audit: Audit,
  ) {}

  /**
   * Has a code sent to the address. The answer and the work are the same whether it has an account or not: what to
   * write is decided by the job.
   * @throws VALIDATION_FAILED for an address that the mail server does not take
   * @returns whether it comes later, because the mail server takes no mails at the moment
   */
  async sendCode(email: string, language: Language, origin: SessionOrigin): Promise<{ mailsDelayed: boolean }> {
    await this.limits.spend(CODES_BY_NETWORK, `${email} ${networkOf(origin.ipAddress)}`);
    await this.limits.spend(CODES_BY_EMAIL, email);
    if (await this.utf8.refuses(email)) throw fieldError('email', addressNotTaken);
    const from = await this.askers.note(email, origin);
    await this.jobs.enqueue(this.em, sendVerificationCode, { email, language, from });
    return { mailsDelayed: (await this.mail.state()).refusingSince !== null };
  }

  /**
   * What is wrong with a password that somebody wants to register with, or null: told before a code is mailed.
   */
  passwordFault(dto: CheckPasswordDto): Promise<Sentence | null> {
    return this.strength.fault(dto.password, dto);
  }

  /**
   * Makes the account and signs the person in. One that was there before and lost its password can have a second factor,
   * which is asked for then.
   * @throws CODE_INVALID, USERNAME_TAKEN, VALIDATION_FAILED, SERVER_BUSY
   */
  async register(dto: RegisterDto, language: Language, origin: SessionOrigin): Promise<Entry> {
    // Before the hash, which is dear: who has no code costs nothing.
    const askers = this.askers.ofReturning(dto.email, origin);
    const codeId = await this.codes.check(dto.email, 'register', dto.verificationCode, askers);
    const passwordHash = await this.users.hashNew(dto.password, 'password', dto);
    return inTransaction(this.em, async (em) => {
      await this.codes.use(em, codeId);
      const found = await this.users.findOrCreateVerified(em, dto.email, language);
      await em.flush();
      const user = await this.users.lock(em, found.id);
      if (user.password !== null || user.hasExternalIdentity || user.deactivatedAt) throw authErrors.CODE_INVALID();
      await this.users.completeProfile(em, user, dto, passwordHash);
      await this.credentials.endOthers(em, user);
      await this.audit.record(em, {
        type: 'user.registered',
        actorId: user.id,
        subjectId: user.id,
        ipAddress: origin.ipAddress,
      });
      return this.opener.enter(em, user, { origin, restricted: false, confirmed: true });
    });
  }
}

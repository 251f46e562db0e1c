import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Language } from '../../platform/errors/app-error.js';
import { networkOf } from '../../platform/http/client-network.js';
import { RateLimits, type RateRule } from '../../platform/http/rate-limits.service.js';
import { Audit } from '../../platform/audit/audit.service.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { authErrors } from './auth.errors.js';
import { CredentialService } from './credential.service.js';
import type { RegisterDto } from './dto/register.dto.js';
import type { User } from './entities/user.entity.js';
import { sendVerificationCode } from './send-verification-code.job.js';
import { SessionService, type SessionOrigin } from './session.service.js';
import { UserService } from './user.service.js';
import { VerificationCodeService } from './verification-code.service.js';

const CODES_BY_EMAIL: RateRule = { name: 'code', limit: 5, window: HOUR };
const CODES_BY_ADDRESS: RateRule = { name: 'code-ip', limit: 100, window: HOUR };

/** Registration: a code to the address, then the account. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly em: EntityManager,
    private readonly codes: VerificationCodeService,
    private readonly users: UserService,
    private readonly credentials: CredentialService,
    private readonly sessions: SessionService,
    private readonly limits: RateLimits,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /**
   * Has a code sent to the address. The answer and the work are the same whether it has an account or not: what to
   * write is decided by the job.
   */
  async sendCode(email: string, language: Language, origin: SessionOrigin): Promise<void> {
    await this.limits.take(CODES_BY_ADDRESS, networkOf(origin.ipAddress));
    await this.limits.take(CODES_BY_EMAIL, email);
    await this.jobs.enqueue(this.em, sendVerificationCode, { email, language });
  }

  /**
   * Makes the account and signs the person in.
   * @returns the user and the session id for the cookie
   * @throws CODE_INVALID, USERNAME_TAKEN, VALIDATION_FAILED
   */
  async register(dto: RegisterDto, language: Language, origin: SessionOrigin): Promise<{ user: User; sid: string }> {
    const passwordHash = await this.users.hashNew(dto.password, 'password');
    const codeId = await this.codes.check(dto.email, 'register', dto.verificationCode);
    return inTransaction(this.em, async (em) => {
      await this.codes.use(em, codeId);
      const known = await this.users.findOrCreateVerified(em, dto.email, language);
      await em.flush();
      const user = await this.users.lock(em, known.id);
      if (user.password !== null || user.deactivatedAt) throw authErrors.CODE_INVALID();
      await this.users.completeProfile(em, user, dto, passwordHash);
      await this.credentials.endOthers(em, user);
      await this.audit.record(em, {
        type: 'user.registered',
        actorId: user.id,
        subjectId: user.id,
        ipAddress: origin.ipAddress,
      });
      return { user, sid: await this.sessions.open(em, user.id, false, origin) };
    });
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language, LocalizedText } from '../../../platform/errors/app-error.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { MailStateRepository } from '../../../platform/email/mail-state.repository.js';
import { unsupportedAddressMessage, SmtpUtf8Service } from '../../../platform/email/smtp-utf8.service.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../auth.errors.js';
import { CredentialService } from '../passwords/credential.service.js';
import { RequesterFingerprintService } from '../shared/requester-fingerprint.service.js';
import type { CheckPasswordDto } from '../dto/password.dto.js';
import type { RegisterDto } from '../dto/register.dto.js';
import { PasswordStrengthService } from '../passwords/password-strength.service.js';
import { sendVerificationCode } from '../auth.jobs.js';
import type { SessionOrigin } from '../sessions/session.service.js';
import { SessionIssuerService, type SignInResult } from '../sign-in/session-issuer.service.js';
import { UserRepository } from '../users/user.repository.js';
import { UserService } from '../users/user.service.js';
import { VerificationCodeService } from './verification-code.service.js';

/** Per address and network; and per address, leaving some for the owner when a stranger requests codes. */
const CODES_PER_NETWORK: RateRule = { name: 'code', limit: 5, window: HOUR };
const CODES_PER_EMAIL: RateRule = { name: 'code-all', limit: 15, window: HOUR };

/** Registers accounts: first a code to the address, then the account. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly em: EntityManager,
    private readonly codes: VerificationCodeService,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly passwordStrength: PasswordStrengthService,
    private readonly credentials: CredentialService,
    private readonly sessionIssuer: SessionIssuerService,
    private readonly limits: RateLimitService,
    private readonly requesters: RequesterFingerprintService,
    private readonly jobs: JobsService,
    private readonly mailState: MailStateRepository,
    private readonly smtpUtf8: SmtpUtf8Service,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Emails a code. Response and work are the same whether or not the address has an account; the job decides what to
   * send.
   * @throws VALIDATION_FAILED for an address that the mail server does not accept
   * @returns whether the email is delayed because the mail server currently accepts none
   */
  async sendVerificationCode(
    email: string,
    language: Language,
    origin: SessionOrigin,
  ): Promise<{ mailsDelayed: boolean }> {
    await this.limits.consume(CODES_PER_NETWORK, `${email} ${networkOf(origin.ipAddress)}`);
    await this.limits.consume(CODES_PER_EMAIL, email);
    if (await this.smtpUtf8.isUnsupported(email)) throw fieldError('email', unsupportedAddressMessage);
    const from = await this.requesters.describeRequest(email, origin);
    await this.jobs.enqueue(this.em, sendVerificationCode, { email, language, from });
    return { mailsDelayed: (await this.mailState.getState()).refusingSince !== null };
  }

  /** Returns what is wrong with a password for registration, or null. The form checks it before a code is emailed. */
  checkPassword(dto: CheckPasswordDto): Promise<LocalizedText | null> {
    return this.passwordStrength.findProblem(dto.password, dto);
  }

  /**
   * Creates the account and signs the user in. An existing account without a password can have a second factor, which
   * is then required.
   * @throws CODE_INVALID, USERNAME_TAKEN, USERNAME_RESERVED, VALIDATION_FAILED, SERVER_BUSY
   */
  async register(dto: RegisterDto, language: Language, origin: SessionOrigin): Promise<SignInResult> {
    // Before the hash, which is expensive: requests without a valid code cost little.
    const requesterIds = this.requesters.listPossibleFingerprints(dto.email, origin);
    const codeId = await this.codes.verifyCode(dto.email, 'register', dto.verificationCode, requesterIds);
    const passwordHash = await this.users.validateAndHashPassword(dto.password, 'password', dto);
    return inTransaction(this.em, async (em) => {
      await this.codes.consumeCode(em, codeId);
      const found = await this.users.findOrCreateVerified(em, dto.email, language);
      await this.userRepository.saveUsers(em);
      const user = await this.userRepository.lockUser(em, found.id);
      if (user.password !== null || user.hasExternalIdentity || user.deactivatedAt) throw authErrors.CODE_INVALID();
      await this.users.completeProfile(em, user, dto, passwordHash);
      await this.credentials.revokeOtherAccess(em, user);
      await this.audit.record(em, {
        type: 'user.registered',
        actorId: user.id,
        subjectId: user.id,
        ipAddress: origin.ipAddress,
      });
      return this.sessionIssuer.createSession(em, user, { origin, restricted: false, confirmed: true });
    });
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../auth.errors.js';
import { SessionService } from '../sessions/session.service.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { AuthenticatorService } from './authenticator.service.js';
import type { FactorsDto, NewAuthenticatorDto } from './dto/factors.dto.js';
import { MfaRepository } from './mfa.repository.js';
import { MfaVerificationService } from './mfa-verification.service.js';
import { MfaRemovalService } from './mfa-removal.service.js';
import { MfaAttemptLimiterService } from './mfa-attempt-limiter.service.js';
import { RecoveryCodeService } from './recovery-code.service.js';

/** Sets up and removes second factors. Every change is audited, and the user is notified by email. */
@Injectable()
export class MfaEnrolmentService {
  constructor(
    private readonly em: EntityManager,
    private readonly mfa: MfaRepository,
    private readonly sessions: SessionService,
    private readonly authenticators: AuthenticatorService,
    private readonly recoveryCode: RecoveryCodeService,
    private readonly mfaVerification: MfaVerificationService,
    private readonly mfaAttempts: MfaAttemptLimiterService,
    private readonly mfaRemoval: MfaRemovalService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /** Returns the user's factors without secrets. */
  async getFactors(userId: number): Promise<Pick<FactorsDto, 'authenticator' | 'recoveryCodesLeft'>> {
    const enrolledAt = await this.mfa.findEnrolledAt(this.em, userId);
    return {
      authenticator: enrolledAt && { enrolledAt },
      recoveryCodesLeft: await this.mfa.countUnusedRecoveryCodes(this.em, userId),
    };
  }

  /**
   * Creates the secret of an authenticator app. It does not count until `confirmEnrolment`.
   * @throws FACTOR_ENROLLED if an app is already confirmed; NOT_SIGNED_IN if the session has since ended
   */
  beginEnrolment(viewer: Viewer): Promise<NewAuthenticatorDto> {
    return inTransaction(this.em, async (em) => {
      const created = await this.authenticators.createSecret(em, await this.sessions.lockUserOfSession(em, viewer));
      if (!created) throw authErrors.FACTOR_ENROLLED();
      return created;
    });
  }

  /**
   * Confirms the app by a first valid code.
   * @returns ten recovery codes, shown only once; empty if the user already has some from another factor
   * @throws CODE_INVALID, TOO_MANY_REQUESTS; NOT_SIGNED_IN if the session has since ended
   */
  async confirmEnrolment(viewer: Viewer, code: string, ipAddress: string | null): Promise<string[]> {
    const { userId, sessionId } = viewer;
    await this.mfaAttempts.countSessionAttempt(sessionId);
    const codes = await inTransaction(this.em, async (em) => {
      await this.sessions.lockUserOfSession(em, viewer);
      const isFirst = !(await this.mfaVerification.isEnrolled(em, userId));
      if (!(await this.authenticators.confirmEnrolment(em, userId, code))) throw authErrors.CODE_INVALID();
      const fact = { type: 'user.factor-enrolled', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, { ...fact, params: { factor: 'totp' } });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'authenticator-added' });
      return isFirst ? this.recoveryCode.replaceCodes(em, userId) : [];
    });
    await this.mfaAttempts.resetSessionAttempts(sessionId);
    return codes;
  }

  /**
   * Replaces the recovery codes with ten new ones.
   * @throws FACTOR_MISSING; NOT_SIGNED_IN if the session has since ended
   */
  renewRecoveryCodes(viewer: Viewer, ipAddress: string | null): Promise<string[]> {
    const { userId } = viewer;
    return inTransaction(this.em, async (em) => {
      await this.sessions.lockUserOfSession(em, viewer);
      if (!(await this.mfaVerification.isEnrolled(em, userId))) throw authErrors.FACTOR_MISSING();
      const fact = { type: 'user.recovery-codes-made', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, fact);
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'recovery-codes-made' });
      return this.recoveryCode.replaceCodes(em, userId);
    });
  }

  /**
   * Removes the authenticator app and, if it was the last factor, the recovery codes.
   * @throws FACTOR_MISSING; NOT_SIGNED_IN if the session has since ended
   */
  removeAuthenticator(viewer: Viewer, ipAddress: string | null): Promise<void> {
    const { userId } = viewer;
    return inTransaction(this.em, async (em) => {
      await this.sessions.lockUserOfSession(em, viewer);
      if (!(await this.authenticators.removeAuthenticator(em, userId))) throw authErrors.FACTOR_MISSING();
      await this.mfaRemoval.cleanUpAfterLastFactor(em, userId);
      const fact = { type: 'user.factor-removed', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, { ...fact, params: { factor: 'totp' } });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'authenticator-removed' });
    });
  }
}

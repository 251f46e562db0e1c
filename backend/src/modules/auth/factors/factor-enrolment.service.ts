import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit.service.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../auth.errors.js';
import { SessionService } from '../sessions/session.service.js';
import { tellSecurityEvent } from '../auth.jobs.js';
import { AuthenticatorService } from './authenticator.service.js';
import type { FactorsDto, NewAuthenticatorDto } from './dto/factors.dto.js';
import { FactorChecker } from './factor-checker.service.js';
import { FactorRemover } from './factor-remover.service.js';
import { FactorTries } from './factor-tries.service.js';
import { RecoveryCodes } from './recovery-code.service.js';

/** Setting up and removing second factors; every change is audited and told by mail. */
@Injectable()
export class FactorEnrolment {
  constructor(
    private readonly em: EntityManager,
    private readonly sessions: SessionService,
    private readonly authenticators: AuthenticatorService,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly checker: FactorChecker,
    private readonly tries: FactorTries,
    private readonly remover: FactorRemover,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /** The factors of a person, without anything secret. */
  async of(userId: number): Promise<Pick<FactorsDto, 'authenticator' | 'recoveryCodesLeft'>> {
    const enrolledAt = await this.authenticators.enrolledAt(this.em, userId);
    return {
      authenticator: enrolledAt && { enrolledAt },
      recoveryCodesLeft: await this.recoveryCodes.left(this.em, userId),
    };
  }

  /**
   * Makes the secret of an authenticator app; it does not count before `confirm`.
   * @throws FACTOR_ENROLLED when an app counts already; NOT_SIGNED_IN when the session ended meanwhile
   */
  begin(viewer: Viewer): Promise<NewAuthenticatorDto> {
    return inTransaction(this.em, async (em) => {
      const made = await this.authenticators.begin(em, await this.sessions.lock(em, viewer));
      if (!made) throw authErrors.FACTOR_ENROLLED();
      return made;
    });
  }

  /**
   * Makes the app count, by a first right code.
   * @returns ten recovery codes, shown this once; none when the person has codes because of another factor
   * @throws CODE_INVALID, TOO_MANY_REQUESTS; NOT_SIGNED_IN when the session ended meanwhile
   */
  async confirm(viewer: Viewer, code: string, ipAddress: string | null): Promise<string[]> {
    const { userId, sessionId } = viewer;
    await this.tries.countInSession(sessionId);
    const codes = await inTransaction(this.em, async (em) => {
      await this.sessions.lock(em, viewer);
      const isFirst = !(await this.checker.isEnrolled(em, userId));
      if (!(await this.authenticators.confirm(em, userId, code))) throw authErrors.CODE_INVALID();
      const fact = { type: 'user.factor-enrolled', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, { ...fact, params: { factor: 'totp' } });
      await this.jobs.enqueue(em, tellSecurityEvent, { userId, event: 'authenticator-added' });
      return isFirst ? this.recoveryCodes.renew(em, userId) : [];
    });
    await this.tries.forgiveSession(sessionId);
    return codes;
  }

  /**
   * Ten new recovery codes in the place of the old.
   * @throws FACTOR_MISSING; NOT_SIGNED_IN when the session ended meanwhile
   */
  renewRecoveryCodes(viewer: Viewer, ipAddress: string | null): Promise<string[]> {
    const { userId } = viewer;
    return inTransaction(this.em, async (em) => {
      await this.sessions.lock(em, viewer);
      if (!(await this.checker.isEnrolled(em, userId))) throw authErrors.FACTOR_MISSING();
      const fact = { type: 'user.recovery-codes-made', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, fact);
      await this.jobs.enqueue(em, tellSecurityEvent, { userId, event: 'recovery-codes-made' });
      return this.recoveryCodes.renew(em, userId);
    });
  }

  /**
   * Removes the authenticator app, and the recovery codes with the last factor.
   * @throws FACTOR_MISSING; NOT_SIGNED_IN when the session ended meanwhile
   */
  removeAuthenticator(viewer: Viewer, ipAddress: string | null): Promise<void> {
    const { userId } = viewer;
    return inTransaction(this.em, async (em) => {
      await this.sessions.lock(em, viewer);
      if (!(await this.authenticators.remove(em, userId))) throw authErrors.FACTOR_MISSING();
      await this.remover.tidyUp(em, userId);
      const fact = { type: 'user.factor-removed', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, { ...fact, params: { factor: 'totp' } });
      await this.jobs.enqueue(em, tellSecurityEvent, { userId, event: 'authenticator-removed' });
    });
  }
}

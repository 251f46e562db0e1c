import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { PendingSignInRepository } from '../sign-in/pending-sign-in.repository.js';
import { MfaRepository } from './mfa.repository.js';
import { MfaVerificationService } from './mfa-verification.service.js';

/** Removes second factors, in the caller's transaction, which must hold the lock of the user's row. */
@Injectable()
export class MfaRemovalService {
  constructor(
    private readonly mfa: MfaRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly pendingSignIns: PendingSignInRepository,
    private readonly mfaVerification: MfaVerificationService,
  ) {}

  /** Removes factors and recovery codes added since an instant, which someone else may have set up. */
  async removeFactorsAddedSince(em: EntityManager, userId: number, since: Date): Promise<void> {
    await this.mfa.deleteAuthenticatorAddedSince(em, userId, since);
    await this.passkeys.deletePasskeysAddedSince(em, userId, since);
    await this.mfa.deleteRecoveryCodesAddedSince(em, userId, since);
    await this.cleanUpAfterLastFactor(em, userId);
  }

  /** Removes all factors and recovery codes. @returns false if there was no factor */
  async removeAllFactors(em: EntityManager, userId: number): Promise<boolean> {
    const wasEnrolled = await this.mfaVerification.isEnrolled(em, userId);
    await this.removeFactorsAddedSince(em, userId, new Date(0));
    return wasEnrolled;
  }

  /**
   * Cleans up after the last factor: recovery codes only replace a factor, and a sign-in that waits for one could not
   * continue.
   */
  async cleanUpAfterLastFactor(em: EntityManager, userId: number): Promise<void> {
    if (await this.mfaVerification.isEnrolled(em, userId)) return;
    await this.mfa.deleteRecoveryCodes(em, userId);
    await this.pendingSignIns.deletePendingSignInsOf(em, userId);
  }
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { PasskeyVerificationService } from '../passkeys/passkey-verification.service.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { AuthenticatorService } from './authenticator.service.js';
import { MfaRepository, type MfaMethod } from './mfa.repository.js';
import { RecoveryCodeService } from './recovery-code.service.js';

/** What the user presents as the second factor. */
export type MfaProof =
  | { readonly code: string }
  | { readonly recoveryCode: string }
  | { readonly passkey: AuthenticationResponseJSON; readonly challenge: string | null };

/** Lists and verifies users' second factors. */
@Injectable()
export class MfaVerificationService {
  constructor(
    private readonly mfa: MfaRepository,
    private readonly authenticators: AuthenticatorService,
    private readonly recoveryCode: RecoveryCodeService,
    private readonly passkeys: PasskeyVerificationService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /** Returns the methods to continue a sign-in, the quickest first; empty if the user has no second factor. */
  async listMethods(em: EntityManager, userId: number): Promise<MfaMethod[]> {
    const has = await this.mfa.findMethods(em, userId);
    if (!has.passkey && !has.totp) return [];
    return (['passkey', 'totp', 'recovery'] as const).filter((kind) => has[kind]);
  }

  /** Returns true if the user has a confirmed second factor. */
  async isEnrolled(em: EntityManager, userId: number): Promise<boolean> {
    return (await this.listMethods(em, userId)).length > 0;
  }

  /**
   * Verifies and consumes a proof, in the caller's transaction. Use of a recovery code is audited, and the user is
   * notified by email.
   * @returns false if it is wrong or already used
   */
  async verifyProof(em: EntityManager, userId: number, proof: MfaProof, ipAddress: string | null): Promise<boolean> {
    if ('passkey' in proof) {
      return this.passkeys.verifyAssertion(em, proof.passkey, proof.challenge, { userId, mustVerifyUser: false });
    }
    if ('code' in proof) return this.authenticators.consumeCode(em, userId, proof.code);
    if (!(await this.isEnrolled(em, userId))) return false;
    if (!(await this.recoveryCode.consumeCode(em, userId, proof.recoveryCode))) return false;
    const remaining = await this.mfa.countUnusedRecoveryCodes(em, userId);
    await this.audit.record(em, {
      type: 'user.recovery-code-used',
      actorId: userId,
      subjectId: userId,
      ipAddress,
      params: { left: remaining },
    });
    await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'recovery-code-used', left: remaining });
    return true;
  }
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { sql } from 'kysely';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { query } from '../../../platform/database/query.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { PasskeySchema } from '../passkeys/entities/passkey.entity.js';
import { PasskeyVerificationService } from '../passkeys/passkey-verification.service.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { AuthenticatorService } from './authenticator.service.js';
import type { AuthenticatorSchema, RecoveryCodeSchema } from './entities/authenticator.entity.js';
import { hasAuthenticatorSql, hasPasskeySql } from './mfa.policy.js';
import { RecoveryCodeService } from './recovery-code.service.js';

/** How a sign-in can continue: by passkey, authenticator code or recovery code. */
export type MfaMethod = 'passkey' | 'totp' | 'recovery';

/** What the user presents as the second factor. */
export type MfaProof =
  | { readonly code: string }
  | { readonly recoveryCode: string }
  | { readonly passkey: AuthenticationResponseJSON; readonly challenge: string | null };

type Tables = typeof AuthenticatorSchema | typeof RecoveryCodeSchema | typeof PasskeySchema;

/** Lists and verifies users' second factors. */
@Injectable()
export class MfaVerificationService {
  constructor(
    private readonly authenticators: AuthenticatorService,
    private readonly recoveryCode: RecoveryCodeService,
    private readonly passkeys: PasskeyVerificationService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
  ) {}

  /** Returns the methods to continue a sign-in, the quickest first; empty if the user has no second factor. */
  async listMethods(em: EntityManager, userId: number): Promise<MfaMethod[]> {
    const { rows } = await sql<Record<MfaMethod, boolean>>`
      select ${sql.raw(hasPasskeySql)} as passkey, ${sql.raw(hasAuthenticatorSql)} as totp,
        exists (select from recovery_codes r where r.user_id = u.id and r.used_at is null) as recovery
      from users u where u.id = ${userId}
    `.execute(query<Tables>(em));
    const has = rows[0]!;
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
    const remaining = await this.recoveryCode.countUnusedCodes(em, userId);
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

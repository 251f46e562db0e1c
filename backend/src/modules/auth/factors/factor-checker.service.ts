import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { sql } from 'kysely';
import { Audit } from '../../../platform/audit/audit.service.js';
import { query } from '../../../platform/database/query.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import type { PasskeySchema } from '../passkeys/entities/passkey.entity.js';
import { PasskeyChecker } from '../passkeys/passkey-checker.service.js';
import { tellSecurityEvent } from '../auth.jobs.js';
import { AuthenticatorService } from './authenticator.service.js';
import type { AuthenticatorSchema, RecoveryCodeSchema } from './entities/authenticator.entity.js';
import { hasAuthenticator, hasPasskey } from './factor.policy.js';
import { RecoveryCodes } from './recovery-code.service.js';

/** By what a sign-in can go on: a passkey, a code of the authenticator app, or a code from paper. */
export type FactorKind = 'passkey' | 'totp' | 'recovery';

/** What somebody shows as the second factor. */
export type FactorProof =
  | { readonly code: string }
  | { readonly recoveryCode: string }
  | { readonly passkey: AuthenticationResponseJSON; readonly challenge: string | null };

type Tables = typeof AuthenticatorSchema | typeof RecoveryCodeSchema | typeof PasskeySchema;

/** Which second factors people have, and whether what they show is one. */
@Injectable()
export class FactorChecker {
  constructor(
    private readonly authenticators: AuthenticatorService,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly passkeys: PasskeyChecker,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /** By what a sign-in of the person can go on, the quickest first; empty when they have no second factor. */
  async kindsOf(em: EntityManager, userId: number): Promise<FactorKind[]> {
    const { rows } = await sql<Record<FactorKind, boolean>>`
      select ${sql.raw(hasPasskey)} as passkey, ${sql.raw(hasAuthenticator)} as totp,
        exists (select from recovery_codes r where r.user_id = u.id and r.used_at is null) as recovery
      from users u where u.id = ${userId}
    `.execute(query<Tables>(em));
    const has = rows[0]!;
    if (!has.passkey && !has.totp) return [];
    return (['passkey', 'totp', 'recovery'] as const).filter((kind) => has[kind]);
  }

  /** Whether the person has a second factor that counts. */
  async isEnrolled(em: EntityManager, userId: number): Promise<boolean> {
    return (await this.kindsOf(em, userId)).length > 0;
  }

  /**
   * Spends what was shown, in the caller's transaction. That a recovery code went is audited and told by mail.
   * @returns false when it is wrong or spent
   */
  async spend(em: EntityManager, userId: number, proof: FactorProof, ipAddress: string | null): Promise<boolean> {
    if ('passkey' in proof) {
      return this.passkeys.spend(em, proof.passkey, proof.challenge, { userId, mustVerifyUser: false });
    }
    if ('code' in proof) return this.authenticators.use(em, userId, proof.code);
    if (!(await this.isEnrolled(em, userId))) return false;
    if (!(await this.recoveryCodes.use(em, userId, proof.recoveryCode))) return false;
    const left = await this.recoveryCodes.left(em, userId);
    await this.audit.record(em, {
      ...{ type: 'user.recovery-code-used', actorId: userId, subjectId: userId },
      ...{ ipAddress, params: { left } },
    });
    await this.jobs.enqueue(em, tellSecurityEvent, { userId, event: 'recovery-code-used', left });
    return true;
  }
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import { PasskeySchema } from '../passkeys/entities/passkey.entity.js';
import { PendingSignInSchema } from '../sign-in/pending-sign-in.entity.js';
import { AuthenticatorSchema, RecoveryCodeSchema } from './entities/authenticator.entity.js';
import { MfaVerificationService } from './mfa-verification.service.js';

type Tables =
  typeof AuthenticatorSchema | typeof RecoveryCodeSchema | typeof PasskeySchema | typeof PendingSignInSchema;

/** Removes second factors, in the caller's transaction, which must hold the lock of the user's row. */
@Injectable()
export class MfaRemovalService {
  constructor(private readonly mfaVerification: MfaVerificationService) {}

  /** Removes factors and recovery codes added since an instant, which someone else may have set up. */
  async removeFactorsAddedSince(em: EntityManager, userId: number, since: Date): Promise<void> {
    const tables = query<Tables>(em);
    await tables.deleteFrom('authenticators').where('user_id', '=', userId).where('created_at', '>=', since).execute();
    await tables.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '>=', since).execute();
    await tables.deleteFrom('recovery_codes').where('user_id', '=', userId).where('created_at', '>=', since).execute();
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
    await query<Tables>(em).deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
    await query<Tables>(em).deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute();
  }
}

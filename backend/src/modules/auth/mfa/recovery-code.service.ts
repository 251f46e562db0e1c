import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import { newRecoveryCode } from '../../../platform/security/secrets.js';
import { RecoveryCodeSchema } from './entities/authenticator.entity.js';

const CODES_PER_USER = 10;

type Tables = typeof RecoveryCodeSchema;

/** Printable codes, each of which replaces a lost factor once. Only keyed digests are stored. */
@Injectable()
export class RecoveryCodeService {
  private readonly key: DerivedKey;

  constructor(
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.key = config.keys.forPurpose('recovery-code');
  }

  /**
   * Replaces all codes of the user with ten new ones. The caller's transaction must have locked the user.
   * @returns the codes, to be shown only once
   */
  async replaceCodes(em: EntityManager, userId: number): Promise<string[]> {
    await this.removeCodes(em, userId);
    const codes = Array.from({ length: CODES_PER_USER }, newRecoveryCode);
    const created_at = this.clock.now();
    const rows = codes.map((code) => ({
      user_id: userId,
      digest: this.digestCandidates(userId, code)[0]!,
      created_at,
    }));
    await query<Tables>(em).insertInto('recovery_codes').values(rows).execute();
    return codes;
  }

  /** Consumes a code in any notation. Of concurrent calls with the same code, one returns true. */
  async consumeCode(em: EntityManager, userId: number, code: string): Promise<boolean> {
    const used = await query<Tables>(em)
      .updateTable('recovery_codes')
      .set({ used_at: this.clock.now() })
      .where('user_id', '=', userId)
      .where('digest', 'in', this.digestCandidates(userId, code))
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return used.numUpdatedRows > 0n;
  }

  async countUnusedCodes(em: EntityManager, userId: number): Promise<number> {
    const { count } = await query<Tables>(em)
      .selectFrom('recovery_codes')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow();
    return count;
  }

  async removeCodes(em: EntityManager, userId: number): Promise<void> {
    await query<Tables>(em).deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  }

  /**
   * Digests under every configured secret, newest first. Spaces, dashes and capitals vary when people copy from paper.
   */
  private digestCandidates(userId: number, code: string): string[] {
    return this.key.digests(String(userId), code.toLowerCase().replace(/[^a-z0-9]/g, ''));
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, MINUTE } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { query } from '../../platform/database/query.js';
import { authErrors } from './auth.errors.js';
import { EmailVerificationSchema, type CodePurpose } from './entities/email-verification.entity.js';
import { keyedDigest, newCode, sameDigest } from '../../platform/security/secrets.js';

const LIFETIME = 10 * MINUTE;
const TRIES = 5;

/** 6-digit codes by mail: 10 minutes, 5 tries counted before comparing, a new code voids the older ones. */
@Injectable()
export class VerificationCodeService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Makes a code for the address and gives it, to be mailed at once; only a digest is kept. */
  async issue(email: string, type: CodePurpose): Promise<string> {
    const code = newCode();
    const now = this.clock.now();
    await inTransaction(this.em, async (em) => {
      const codes = query<typeof EmailVerificationSchema>(em);
      await codes
        .updateTable('email_verifications')
        .set({ is_used: true })
        .where('email', '=', email)
        .where('type', '=', type)
        .where('is_used', '=', false)
        .execute();
      await codes
        .insertInto('email_verifications')
        .values({
          email,
          type,
          code: this.digest(email, type, code),
          expires_at: after(now, LIFETIME),
          created_at: now,
        })
        .execute();
    });
    return code;
  }

  /**
   * Compares a code, after counting the try outside any transaction, so that no failure later gives the try back.
   * @returns the id to be given to `use` in the transaction that the code allows
   * @throws CODE_INVALID for a wrong, old, used or too often tried code, all alike
   */
  async check(email: string, type: CodePurpose, code: string): Promise<number> {
    const row = await query<typeof EmailVerificationSchema>(this.em.fork())
      .updateTable('email_verifications')
      .set({ tries: sql<number>`tries + 1` })
      .where('email', '=', email)
      .where('type', '=', type)
      .where('is_used', '=', false)
      .where('expires_at', '>', this.clock.now())
      .where('tries', '<', TRIES)
      .returning(['id', 'code'])
      .executeTakeFirst();
    const given = this.digest(email, type, code);
    if (!row || !sameDigest(row.code, given)) throw authErrors.CODE_INVALID();
    return Number(row.id);
  }

  /** Spends a checked code. Of two that come at once, one finds it spent: CODE_INVALID. */
  async use(em: EntityManager, id: number): Promise<void> {
    const result = await query<typeof EmailVerificationSchema>(em)
      .updateTable('email_verifications')
      .set({ is_used: true })
      .where('id', '=', id)
      .where('is_used', '=', false)
      .executeTakeFirst();
    if (result.numUpdatedRows === 0n) throw authErrors.CODE_INVALID();
  }

  private digest(email: string, type: CodePurpose, code: string): string {
    return keyedDigest(this.config.appSecret, 'code', type, email, code);
  }
}

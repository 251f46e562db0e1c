import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { query } from '../../../platform/database/query.js';
import { acquireAdvisoryLock } from '../../../platform/database/advisory-lock.js';
import { authErrors } from '../auth.errors.js';
import { EmailVerificationSchema, type CodePurpose } from '../entities/single-use-token.entity.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import { newCode } from '../../../platform/security/secrets.js';

const LIFETIME = 10 * MINUTE;
const MAX_ATTEMPTS = 5;

/** Of everybody who did not ask for the code, together: who changes networks in between is let in, a guesser hardly. */
const MAX_ATTEMPTS_OF_OTHERS = 3;

/** Codes of one asker that work at a time: somebody else who asks for one voids none. */
const MAX_OPEN_CODES = 3;

/**
 * 6-digit codes by mail: 10 minutes, 5 tries of who asked for it and 3 of everybody else, counted before comparing. A try
 * counts at every open code of the address, whoever asked for it, so that each is compared 8 times at most, however many
 * are open; and strangers who guess use up none of the tries of who asked (ADR 0031).
 */
@Injectable()
export class VerificationCodeService {
  private readonly key: DerivedKey;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.key = config.keys.forPurpose('code');
  }

  /** Makes a code for the address and gives it, to be mailed at once; only a digest is kept. */
  async issueCode(email: string, type: CodePurpose, requesterId = ''): Promise<string> {
    const code = newCode();
    const now = this.clock.now();
    await inTransaction(this.em, async (em) => {
      await acquireAdvisoryLock(em, 'code', type, email, requesterId);
      const codes = query<typeof EmailVerificationSchema>(em);
      const older = codes
        .selectFrom('email_verifications')
        .select('id')
        .where('email', '=', email)
        .where('type', '=', type)
        .where('asked_by', '=', requesterId)
        .where('is_used', '=', false)
        .orderBy('id', 'desc')
        .offset(MAX_OPEN_CODES - 1);
      await codes.updateTable('email_verifications').set({ is_used: true }).where('id', 'in', older).execute();
      await codes
        .insertInto('email_verifications')
        .values({
          ...{ email, type, asked_by: requesterId, code: this.key.digest(type, email, code) },
          ...{ expires_at: addMilliseconds(now, LIFETIME), created_at: now },
        })
        .execute();
    });
    return code;
  }

  /**
   * Compares a code, after counting the try outside any transaction, so that no failure later gives the try back.
   * @param askers in whose name the one who tries may have asked for it
   * @returns the id to be given to `use` in the transaction that the code allows
   * @throws CODE_INVALID for a wrong, old, used or too often tried code, all alike
   */
  async verifyCode(
    email: string,
    type: CodePurpose,
    code: string,
    requesterIds: readonly string[] = [''],
  ): Promise<number> {
    const isRequester = sql<boolean>`asked_by = any(${requesterIds}::text[])`;
    const rows = await query<typeof EmailVerificationSchema>(this.em.fork())
      .updateTable('email_verifications')
      .set({
        tries: sql<number>`tries + case when ${isRequester} then 1 else 0 end`,
        tries_elsewhere: sql<number>`tries_elsewhere + case when ${isRequester} then 0 else 1 end`,
      })
      .where('email', '=', email)
      .where('type', '=', type)
      .where('is_used', '=', false)
      .where('expires_at', '>', this.clock.now())
      .where(
        sql<boolean>`case when ${isRequester} then tries < ${MAX_ATTEMPTS} else tries_elsewhere < ${MAX_ATTEMPTS_OF_OTHERS} end`,
      )
      .returning(['id', 'code'])
      .execute();
    const found = rows.find((row) => this.key.matches(row.code, type, email, code));
    if (!found) throw authErrors.CODE_INVALID();
    return Number(found.id);
  }

  /** Spends a checked code, and with it all of its address. Of two that come at once, one finds it spent: CODE_INVALID. */
  async consumeCode(em: EntityManager, id: number): Promise<void> {
    const codes = query<typeof EmailVerificationSchema>(em);
    const used = await codes
      .updateTable('email_verifications')
      .set({ is_used: true })
      .where('id', '=', id)
      .where('is_used', '=', false)
      .returning(['email', 'type'])
      .executeTakeFirst();
    if (!used) throw authErrors.CODE_INVALID();
    await this.revokeCodes(em, used.email, used.type);
  }

  /** Ends all codes of an address for a purpose. */
  async revokeCodes(em: EntityManager, email: string, type: CodePurpose): Promise<void> {
    await query<typeof EmailVerificationSchema>(em)
      .updateTable('email_verifications')
      .set({ is_used: true })
      .where('email', '=', email)
      .where('type', '=', type)
      .where('is_used', '=', false)
      .execute();
  }
}

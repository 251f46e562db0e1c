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

/** Of everyone but the requester together. Allows for a requester who has switched networks; gives a guesser little. */
const MAX_ATTEMPTS_OF_OTHERS = 3;

/** Open codes per requester. A request by someone else voids none of them. */
const MAX_OPEN_CODES = 3;

/**
 * Emails 6-digit codes: valid for 10 minutes, with 5 attempts by the requester and 3 by everyone else, counted before
 * the comparison. An attempt counts against every open code of the address, no matter who requested it, so each code is
 * compared 8 times at most, however many are open. Strangers can't use up the requester's attempts (ADR 0031).
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

  /** Creates a code, to be emailed at once. Only a digest is stored. */
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
          email,
          type,
          asked_by: requesterId,
          code: this.key.digest(type, email, code),
          expires_at: addMilliseconds(now, LIFETIME),
          created_at: now,
        })
        .execute();
    });
    return code;
  }

  /**
   * Verifies a code. The attempt is counted outside any transaction, so that a later rollback doesn't undo the count.
   * @param requesterIds the fingerprints under which the caller may have requested the code
   * @returns the id for `consumeCode` in the transaction that the code authorises
   * @throws CODE_INVALID for a wrong, expired, used or too often tried code (the cases are not distinguished)
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

  /**
   * Consumes a verified code and revokes all others of its address and purpose.
   * @throws CODE_INVALID if a concurrent call has consumed it
   */
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

  /** Revokes all codes of an address for a purpose. */
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

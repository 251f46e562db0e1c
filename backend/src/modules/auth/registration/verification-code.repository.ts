import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { acquireAdvisoryLock } from '../../../platform/database/advisory-lock.js';
import { query } from '../../../platform/database/query.js';
import type { CodePurpose, EmailVerificationSchema } from '../entities/single-use-token.entity.js';

interface NewCode {
  readonly email: string;
  readonly type: CodePurpose;
  /** The requester, as identified by `RequesterFingerprintService`; empty where nobody else could have requested it. */
  readonly requesterId: string;
  readonly digest: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface AttemptLimits {
  readonly ofRequester: number;
  readonly ofOthers: number;
}

type Tables = typeof EmailVerificationSchema;

/** Codes sent to addresses. Only digests are stored. */
@Injectable()
export class VerificationCodeRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a code and revokes the oldest ones of the same requester, purpose and address. Serialises such calls until the
   * commit.
   * @param maxOpen how many codes of one requester may be open at a time, including this one
   */
  async insertCode(em: EntityManager, code: NewCode, maxOpen: number): Promise<void> {
    await acquireAdvisoryLock(em, 'code', code.type, code.email, code.requesterId);
    await this.revokeOldestCodes(em, code, maxOpen - 1);
    await query<Tables>(em)
      .insertInto('email_verifications')
      .values({
        email: code.email,
        type: code.type,
        asked_by: code.requesterId,
        code: code.digest,
        expires_at: code.expiresAt,
        created_at: code.createdAt,
      })
      .execute();
  }

  /**
   * Counts an attempt against every open code of an address, outside any transaction, so that a later rollback doesn't
   * undo the count.
   * @param requesterIds the fingerprints under which the caller may have requested a code
   * @returns the codes that had attempts left, by which the attempt may succeed
   */
  countAttempt(
    email: string,
    type: CodePurpose,
    requesterIds: readonly string[],
    { ofRequester, ofOthers }: AttemptLimits,
  ): Promise<{ id: number; code: string }[]> {
    const isRequester = sql<boolean>`asked_by = any(${requesterIds}::text[])`;
    return query<Tables>(this.em.fork())
      .updateTable('email_verifications')
      .set({
        tries: sql<number>`tries + case when ${isRequester} then 1 else 0 end`,
        tries_elsewhere: sql<number>`tries_elsewhere + case when ${isRequester} then 0 else 1 end`,
      })
      .where('email', '=', email)
      .where('type', '=', type)
      .where('is_used', '=', false)
      .where('expires_at', '>', this.clock.now())
      .where(sql<boolean>`case when ${isRequester} then tries < ${ofRequester} else tries_elsewhere < ${ofOthers} end`)
      .returning(['id', 'code'])
      .execute();
  }

  /** Consumes a code. @returns its address and purpose; null if a concurrent call has consumed it */
  async consumeCode(em: EntityManager, id: number): Promise<{ email: string; type: CodePurpose } | null> {
    const used = await query<Tables>(em)
      .updateTable('email_verifications')
      .set({ is_used: true })
      .where('id', '=', id)
      .where('is_used', '=', false)
      .returning(['email', 'type'])
      .executeTakeFirst();
    return used ?? null;
  }

  /** Revokes all codes of an address for a purpose. */
  async revokeCodes(em: EntityManager, email: string, type: CodePurpose): Promise<void> {
    await query<Tables>(em)
      .updateTable('email_verifications')
      .set({ is_used: true })
      .where('email', '=', email)
      .where('type', '=', type)
      .where('is_used', '=', false)
      .execute();
  }

  async deleteCodesOf(em: EntityManager, email: string): Promise<void> {
    await query<Tables>(em).deleteFrom('email_verifications').where('email', '=', email).execute();
  }

  async deleteExpiredCodes(until: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('email_verifications').where('expires_at', '<=', until).execute();
  }

  /** Revokes the open codes of one requester, purpose and address, except the `keepCount` newest. */
  private async revokeOldestCodes(
    em: EntityManager,
    { email, type, requesterId }: NewCode,
    keepCount: number,
  ): Promise<void> {
    const codes = query<Tables>(em);
    const older = codes
      .selectFrom('email_verifications')
      .select('id')
      .where('email', '=', email)
      .where('type', '=', type)
      .where('asked_by', '=', requesterId)
      .where('is_used', '=', false)
      .orderBy('id', 'desc')
      .offset(keepCount);
    await codes.updateTable('email_verifications').set({ is_used: true }).where('id', 'in', older).execute();
  }
}

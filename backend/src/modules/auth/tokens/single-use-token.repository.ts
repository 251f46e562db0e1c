import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { acquireAdvisoryLock } from '../../../platform/database/advisory-lock.js';
import type { SingleUseTokenSchema, TokenPurpose } from '../entities/single-use-token.entity.js';
import { digestOf, newToken } from '../../../platform/security/secrets.js';

export interface TokenGrant {
  readonly email: string;
  readonly purpose: TokenPurpose;
  /** What the token is about, such as the pending join. */
  readonly subject?: string;
  /** The requester, as identified by `RequesterFingerprintService`. */
  readonly askedBy?: string;
}

export interface StoredToken {
  readonly id: number;
  readonly email: string;
  readonly subject: string;
  readonly usedAt: Date | null;
  readonly isExpired: boolean;
}

/** Subject of `reset-password` tokens in an administrator's invitation, for an account that nobody has used. */
export const ACCOUNT_INVITATION = 'account-invitation';

/** Emailed single-use secrets. Only digests are stored. */
@Injectable()
export class SingleUseTokenRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a token, to be emailed at once, and deletes unused older ones of the same requester, purpose, address and
   * subject. Those of other requesters stay; their number is bounded by the rate limits per address.
   * @param lifetime in milliseconds
   * @param maxOpen how many tokens of one requester may be open at a time, including this one
   */
  async issueToken(em: EntityManager, grant: TokenGrant, lifetime: number, maxOpen = 1): Promise<string> {
    const token = newToken();
    const now = this.clock.now();
    const { email, purpose, subject = '', askedBy = '' } = grant;
    await acquireAdvisoryLock(em, 'token', purpose, email, subject, askedBy);
    await this.deleteOldestTokens(em, grant, maxOpen - 1);
    await query<typeof SingleUseTokenSchema>(em)
      .insertInto('single_use_tokens')
      .values({
        digest: digestOf(token),
        purpose,
        email,
        subject,
        asked_by: askedBy,
        expires_at: addMilliseconds(now, lifetime),
        created_at: now,
      })
      .execute();
    return token;
  }

  /** Looks up a token without using it; null if there is none. */
  async findToken(token: string, purpose: TokenPurpose): Promise<StoredToken | null> {
    const row = await query<typeof SingleUseTokenSchema>(this.em)
      .selectFrom('single_use_tokens')
      .select(['id', 'email', 'subject', 'used_at as usedAt', 'expires_at as expiresAt'])
      .where('digest', '=', digestOf(token))
      .where('purpose', '=', purpose)
      .executeTakeFirst();
    if (!row) return null;
    const { expiresAt, ...found } = row;
    return { ...found, isExpired: expiresAt <= this.clock.now() };
  }

  /** Uses a token. Of two concurrent calls, one returns false. */
  async consumeToken(em: EntityManager, id: number): Promise<boolean> {
    const result = await query<typeof SingleUseTokenSchema>(em)
      .updateTable('single_use_tokens')
      .set({ used_at: this.clock.now() })
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.clock.now())
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /**
   * Marks all open tokens of a purpose and subject as used, because something else did what they grant.
   * @returns false if none was open
   */
  async consumeTokensOfSubject(em: EntityManager, purpose: TokenPurpose, subject: string): Promise<boolean> {
    const result = await query<typeof SingleUseTokenSchema>(em)
      .updateTable('single_use_tokens')
      .set({ used_at: this.clock.now() })
      .where('purpose', '=', purpose)
      .where('subject', '=', subject)
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.clock.now())
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** Deletes the open tokens of a purpose and subject, whatever address they were sent to. */
  async revokeTokensOfSubject(em: EntityManager, purpose: TokenPurpose, subject: string): Promise<void> {
    await query<typeof SingleUseTokenSchema>(em)
      .deleteFrom('single_use_tokens')
      .where('purpose', '=', purpose)
      .where('subject', '=', subject)
      .where('used_at', 'is', null)
      .execute();
  }

  /** Deletes all open tokens of a purpose. */
  async revokeAllTokens(em: EntityManager, purpose: TokenPurpose): Promise<void> {
    await query<typeof SingleUseTokenSchema>(em)
      .deleteFrom('single_use_tokens')
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .execute();
  }

  /** Deletes the open tokens of an address for a purpose and subject, no matter who requested them. */
  async revokeTokens(em: EntityManager, { email, purpose, subject = '' }: TokenGrant): Promise<void> {
    await query<typeof SingleUseTokenSchema>(em)
      .deleteFrom('single_use_tokens')
      .where('email', '=', email)
      .where('purpose', '=', purpose)
      .where('subject', '=', subject)
      .where('used_at', 'is', null)
      .execute();
  }

  /** Deletes the open tokens of an address for all purposes except one, no matter who requested them. */
  async revokeTokensOfEmail(em: EntityManager, email: string, exceptPurpose: TokenPurpose): Promise<void> {
    await query<typeof SingleUseTokenSchema>(em)
      .deleteFrom('single_use_tokens')
      .where('email', '=', email)
      .where('purpose', '!=', exceptPurpose)
      .where('used_at', 'is', null)
      .execute();
  }

  /** Deletes all tokens of an address. */
  async deleteTokensOf(em: EntityManager, email: string): Promise<void> {
    await query<typeof SingleUseTokenSchema>(em).deleteFrom('single_use_tokens').where('email', '=', email).execute();
  }

  async deleteExpiredTokens(until: Date): Promise<void> {
    await query<typeof SingleUseTokenSchema>(this.em)
      .deleteFrom('single_use_tokens')
      .where('expires_at', '<=', until)
      .execute();
  }

  /** Deletes the open tokens of one requester, except the `keepCount` newest. */
  private async deleteOldestTokens(
    em: EntityManager,
    { email, purpose, subject = '', askedBy = '' }: TokenGrant,
    keepCount: number,
  ) {
    const tokens = query<typeof SingleUseTokenSchema>(em);
    const older = tokens
      .selectFrom('single_use_tokens')
      .select('id')
      .where('email', '=', email)
      .where('purpose', '=', purpose)
      .where('subject', '=', subject)
      .where('asked_by', '=', askedBy)
      .where('used_at', 'is', null)
      .orderBy('id', 'desc')
      .offset(keepCount);
    await tokens.deleteFrom('single_use_tokens').where('id', 'in', older).execute();
  }
}

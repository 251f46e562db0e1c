import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { acquireAdvisoryLock } from '../../../platform/database/advisory-lock.js';
import { SingleUseTokenSchema, type TokenPurpose } from '../entities/single-use-token.entity.js';
import { digestOf, newToken } from '../../../platform/security/secrets.js';

export interface TokenGrant {
  readonly email: string;
  readonly purpose: TokenPurpose;
  /** What it is about, such as the pending join. */
  readonly subject?: string;
  /** Who asked for it, as `Askers` tells them apart. */
  readonly askedBy?: string;
}

export interface StoredToken {
  readonly id: number;
  readonly email: string;
  readonly subject: string;
  readonly usedAt: Date | null;
  readonly isExpired: boolean;
}

/** Subject of `reset-password` tokens that an administrator's invitation carries, for an account nobody has used. */
export const ACCOUNT_INVITATION = 'account-invitation';

/** Secrets sent by mail that grant one thing once. Only digests are stored. */
@Injectable()
export class SingleUseTokenService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a token, to be mailed at once; unused older ones of the same asker for the same purpose, address and subject are
   * void. Those of other askers stay: how many there are is bounded by how often an address may be asked for.
   * @param lifetime milliseconds
   * @param open how many of one asker may be open at a time, this one among them
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
        ...{ digest: digestOf(token), purpose, email, subject, asked_by: askedBy },
        ...{ expires_at: addMilliseconds(now, lifetime), created_at: now },
      })
      .execute();
    return token;
  }

  /** Looks without using; null when there is none such. */
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

  /** Uses the token, once: of two that come at once, one gets false. */
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
   * Uses whatever is open for a purpose and a subject, where something else did what it grants.
   * @returns false when nothing is
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

  /** Ends the open tokens for a purpose that are about a subject, whatever address they went to. */
  async revokeTokensOfSubject(em: EntityManager, purpose: TokenPurpose, subject: string): Promise<void> {
    await query<typeof SingleUseTokenSchema>(em)
      .deleteFrom('single_use_tokens')
      .where('purpose', '=', purpose)
      .where('subject', '=', subject)
      .where('used_at', 'is', null)
      .execute();
  }

  /** Ends all open tokens for a purpose. */
  async revokeAllTokens(em: EntityManager, purpose: TokenPurpose): Promise<void> {
    await query<typeof SingleUseTokenSchema>(em)
      .deleteFrom('single_use_tokens')
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .execute();
  }

  /** Ends the open tokens of an address for a purpose (and subject), whoever asked for them. */
  async revokeTokens(em: EntityManager, { email, purpose, subject = '' }: TokenGrant): Promise<void> {
    await query<typeof SingleUseTokenSchema>(em)
      .deleteFrom('single_use_tokens')
      .where('email', '=', email)
      .where('purpose', '=', purpose)
      .where('subject', '=', subject)
      .where('used_at', 'is', null)
      .execute();
  }

  /** Ends the open tokens of one asker, all but the newest. */
  private async deleteOldestTokens(
    em: EntityManager,
    { email, purpose, subject = '', askedBy = '' }: TokenGrant,
    kept: number,
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
      .offset(kept);
    await tokens.deleteFrom('single_use_tokens').where('id', 'in', older).execute();
  }
}

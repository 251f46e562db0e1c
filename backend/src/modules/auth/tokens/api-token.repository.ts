import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import type { Scope } from '../../../platform/http/parsing/viewer.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { ApiTokenNetwork, type ApiTokenNetworkSchema, type ApiTokenSchema } from '../entities/api-token.entity.js';
import type { UserSchema } from '../entities/user.entity.js';
import { isStaffWithoutMfaSql } from '../mfa/mfa.sql.js';

/** Networks stored per token. Beyond this, the one unused for the longest is deleted. */
const MAX_NETWORKS_PER_TOKEN = 20;

export interface ApiTokenRequest {
  readonly name: string;
  readonly scope: Scope;
  /** Days from now. */
  readonly expiresInDays: number;
}

/** A token without its secret. */
export interface ApiTokenRow {
  readonly id: number;
  readonly name: string;
  readonly scope: Scope;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

type Tables = typeof ApiTokenSchema | typeof ApiTokenNetworkSchema | typeof UserSchema;

const columns = freezeList([
  'id',
  'name',
  'scope',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'last_used_at as lastUsedAt',
]);

/** API tokens, of which only digests are stored, and the networks from which they were used. */
@Injectable()
export class ApiTokenRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  insertToken(em: EntityManager, userId: number, request: ApiTokenRequest, token: string): Promise<ApiTokenRow> {
    const now = this.clock.now();
    return query<Tables>(em)
      .insertInto('api_tokens')
      .values({
        digest: digestOf(token),
        user_id: userId,
        name: request.name,
        scope: request.scope,
        expires_at: addMilliseconds(now, request.expiresInDays * DAY),
        created_at: now,
      })
      .returning(columns)
      .executeTakeFirstOrThrow();
  }

  /** Returns up to `limit` tokens of the user, the newest first, and the number of all. */
  async findTokens(
    userId: number,
    { limit, cursor }: { limit: number; cursor: string | undefined },
  ): Promise<{ rows: ApiTokenRow[]; total: number }> {
    const own = query<Tables>(this.em).selectFrom('api_tokens').where('user_id', '=', userId);
    let rows = own.select(columns).orderBy('id', 'desc').limit(limit);
    if (cursor) rows = rows.where('id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const { total } = await own.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    return { rows: await rows.execute(), total };
  }

  /**
   * Returns a token with its owner and its last use from a network; null if it is unknown or expired or the account is
   * deactivated.
   */
  async findViewer(token: string, network: string, now: Date) {
    const row = await query<Tables>(this.em)
      .selectFrom('api_tokens as t')
      .innerJoin('users as u', 'u.id', 't.user_id')
      .leftJoin('api_token_networks as n', (on) => on.onRef('n.token_id', '=', 't.id').on('n.network', '=', network))
      .select(['t.id as tokenId', 't.name as name', 't.scope as scope', 't.last_used_at as lastUsedAt'])
      .select('n.last_at as seenAt')
      .select(['u.id as userId', 'u.email as email', 'u.role as role', 'u.language as language'])
      .select(['u.is_super_admin as isSuperAdmin', sql<boolean>`${sql.raw(isStaffWithoutMfaSql)}`.as('isFactorless')])
      .where('t.digest', '=', digestOf(token))
      .where('t.expires_at', '>', now)
      .where('u.deactivated_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  async updateLastUsed(id: number, now: Date): Promise<void> {
    await query<Tables>(this.em).updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', id).execute();
  }

  /** @returns false if the user has no such token */
  async deleteToken(em: EntityManager, userId: number, id: number): Promise<boolean> {
    const deleted = await query<Tables>(em)
      .deleteFrom('api_tokens')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  /** Deletes all tokens of a locked user. @returns the number deleted */
  async deleteTokensOf(em: EntityManager, userId: number): Promise<number> {
    const deleted = await query<Tables>(em).deleteFrom('api_tokens').where('user_id', '=', userId).executeTakeFirst();
    return Number(deleted.numDeletedRows);
  }

  async deleteExpiredTokens(until: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('api_tokens').where('expires_at', '<=', until).execute();
  }

  /** Records a use from a network. @returns whether it is the first; of concurrent first uses, one returns true */
  async upsertNetwork(em: EntityManager, tokenId: number, network: string, now: Date): Promise<boolean> {
    const { isNew } = await query<Tables>(em)
      .insertInto('api_token_networks')
      .values({ token_id: tokenId, network, first_at: now, last_at: now })
      .onConflict((conflict) => conflict.columns(['token_id', 'network']).doUpdateSet({ last_at: now }))
      .returning(sql<boolean>`xmax = 0`.as('isNew'))
      .executeTakeFirstOrThrow();
    return isNew;
  }

  /** Deletes the networks beyond the maximum that have been unused for the longest. */
  async deleteOldestNetworks(em: EntityManager, tokenId: number): Promise<void> {
    const networks = query<Tables>(em);
    const unused = networks
      .selectFrom('api_token_networks')
      .select('network')
      .where('token_id', '=', tokenId)
      .orderBy('last_at', 'desc')
      .orderBy('first_at', 'desc')
      .offset(MAX_NETWORKS_PER_TOKEN);
    await networks
      .deleteFrom('api_token_networks')
      .where('token_id', '=', tokenId)
      .where('network', 'in', unused)
      .execute();
  }

  /** Counts the networks from which a token was first used since an instant. */
  async countNewNetworks(em: EntityManager, tokenId: number, since: Date): Promise<number> {
    const { count } = await query<Tables>(em)
      .selectFrom('api_token_networks')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('token_id', '=', tokenId)
      .where('first_at', '>', since)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Returns the network from which a token was first used at an instant, or null if it is no longer stored. */
  async findNetwork(tokenId: number, firstAt: Date): Promise<string | null> {
    const found = await this.em.findOne(ApiTokenNetwork, { tokenId, firstAt });
    return found?.network ?? null;
  }
}

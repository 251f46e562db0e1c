import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { AuditService, type AuditRecord } from '../../../platform/audit/audit.service.js';
import { addMilliseconds, Clock, DAY, HOUR } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import type { Scope, Viewer } from '../../../platform/http/parsing/viewer.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { digestOf, newToken } from '../../../platform/security/secrets.js';
import { SecurityEventLogService } from '../../../platform/security-events/security-event-log.service.js';
import { isStaff, requiresMfa } from '../access/access.policy.js';
import { authErrors } from '../auth.errors.js';
import { ApiTokenSchema, ApiTokenNetworkSchema } from '../entities/api-token.entity.js';
import { UserSchema } from '../entities/user.entity.js';
import { isStaffWithoutMfaSql } from '../mfa/mfa.policy.js';
import { SessionService } from '../sessions/session.service.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { ApiTokenNetworkService } from '../security-events/api-token-network.service.js';

/** Identifies tokens issued by this application. */
const TOKEN_PREFIX = 'zonary_';
/** Minimum interval between writes of `last_used_at`: one write per request would halve the throughput of reads. */
const LAST_USED_WRITE_INTERVAL = HOUR;
const LIMIT_PER_USER: RateRule = { name: 'api-token', limit: 20, window: HOUR };

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

/** Keys with which programs act for a user. Only digests are stored. */
@Injectable()
export class ApiTokenService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly sessions: SessionService,
    private readonly limits: RateLimitService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
    private readonly tokenNetworks: ApiTokenNetworkService,
    private readonly securityEvents: SecurityEventLogService,
  ) {}

  /**
   * Creates a token and notifies the user by email.
   * @returns its row and the secret, which is shown only once
   * @throws ADMIN_SCOPE if a user who is no admin requests that scope; TOO_MANY_REQUESTS
   * @throws NOT_SIGNED_IN if the session has since ended
   */
  async createToken(
    viewer: Viewer,
    request: ApiTokenRequest,
    ipAddress: string | null,
  ): Promise<ApiTokenRow & { token: string }> {
    if (request.scope === 'admin' && !isStaff(viewer)) throw authErrors.ADMIN_SCOPE();
    await this.limits.consume(LIMIT_PER_USER, viewer.userId);
    const token = `${TOKEN_PREFIX}${newToken()}`;
    const row = await inTransaction(this.em, async (em) => {
      await this.sessions.lockUserOfSession(em, viewer);
      const created = await this.insertToken(em, viewer.userId, request, digestOf(token));
      const { userId } = viewer;
      const fact: AuditRecord = { type: 'user.token-made', actorId: userId, subjectId: userId, ipAddress };
      await this.audit.record(em, { ...fact, params: { tokenId: created.id, scope: request.scope } });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'token-made', tokenName: request.name });
      return created;
    });
    return { ...row, token };
  }

  /** Returns the user's tokens, newest first. Expired ones stay listed for a month. */
  async listTokens(userId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<ApiTokenRow>> {
    const own = query<Tables>(this.em).selectFrom('api_tokens').where('user_id', '=', userId);
    let rows = own
      .select(columns)
      .orderBy('id', 'desc')
      .limit(limit + 1);
    if (cursor) rows = rows.where('id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const { total } = await own.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    return toPage(await rows.execute(), limit, total, ({ id }) => [id]);
  }

  /**
   * Deletes a token, which is refused from then on.
   * @throws API_TOKEN_NOT_FOUND
   */
  async revokeToken(userId: number, id: number, ipAddress: string | null): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const deleted = await query<Tables>(em)
        .deleteFrom('api_tokens')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (deleted.numDeletedRows === 0n) throw authErrors.API_TOKEN_NOT_FOUND();
      const fact: AuditRecord = { type: 'user.token-revoked', actorId: userId, subjectId: userId, ipAddress };
      await this.audit.record(em, { ...fact, params: { tokenId: id } });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'token-deleted' });
    });
  }

  /**
   * Deletes all tokens of a user, in the caller's transaction, which must have locked the user. @returns the number
   * deleted
   */
  async revokeAllTokens(em: EntityManager, userId: number): Promise<number> {
    const deleted = await query<Tables>(em).deleteFrom('api_tokens').where('user_id', '=', userId).executeTakeFirst();
    return Number(deleted.numDeletedRows);
  }

  /**
   * Returns the owner of a token, or null if it is unknown or expired or the account is deactivated. Notifies the owner
   * of the first use from a network.
   * @param network of the client; empty if unknown
   */
  async resolveViewer(token: string, network: string): Promise<Viewer | null> {
    const now = this.clock.now();
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
    if (!row) {
      // Bearer tokens that were never ours, such as that of /metrics, don't count as refused tokens.
      if (token.startsWith(TOKEN_PREFIX)) this.securityEvents.countRefusedToken('unknown');
      return null;
    }
    const { tokenId, name, lastUsedAt, seenAt, isFactorless: lacksFactor, ...viewer } = row;
    const isStale = !seenAt || now.getTime() - seenAt.getTime() >= DAY;
    if (network && isStale) await this.tokenNetworks.recordUse({ tokenId, name, userId: viewer.userId }, network);
    if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() >= LAST_USED_WRITE_INTERVAL)
      await this.updateLastUsed(tokenId, now);
    const factorNeeded = lacksFactor && requiresMfa(viewer, this.config.requiresAdminMfa);
    return {
      ...viewer,
      needsMfaSetup: factorNeeded,
      restricted: false,
      isReader: false,
      sessionId: null,
      isReauthenticated: false,
    };
  }

  private insertToken(
    em: EntityManager,
    userId: number,
    request: ApiTokenRequest,
    digest: string,
  ): Promise<ApiTokenRow> {
    const now = this.clock.now();
    return query<Tables>(em)
      .insertInto('api_tokens')
      .values({
        digest,
        user_id: userId,
        name: request.name,
        scope: request.scope,
        expires_at: addMilliseconds(now, request.expiresInDays * DAY),
        created_at: now,
      })
      .returning(columns)
      .executeTakeFirstOrThrow();
  }

  private async updateLastUsed(id: number, now: Date): Promise<void> {
    await query<Tables>(this.em).updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', id).execute();
  }
}

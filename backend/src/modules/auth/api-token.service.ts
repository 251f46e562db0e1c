import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Audit, type AuditFact } from '../../platform/audit/audit.service.js';
import { after, Clock, DAY, HOUR } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { decodeCursor } from '../../platform/http/cursor.js';
import { LIST_LIMIT, pageOf, type ListQueryDto, type Page } from '../../platform/http/list.js';
import { RateLimits, type RateRule } from '../../platform/http/rate-limits.service.js';
import type { Scope, Viewer } from '../../platform/http/viewer.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { digestOf, newToken } from '../../platform/security/secrets.js';
import { isStaff } from './access.policy.js';
import { authErrors } from './auth.errors.js';
import { ApiTokenSchema } from './entities/api-token.entity.js';
import { UserSchema } from './entities/user.entity.js';
import { tellSecurityEvent } from './tell-security-event.job.js';

/** Use is written down at most this often: a write a request halves the rate of reads. */
const WRITE_EVERY = HOUR;
const BY_PERSON: RateRule = { name: 'api-token', limit: 20, window: HOUR };

export interface TokenWish {
  readonly name: string;
  readonly scope: Scope;
  /** Days from now. */
  readonly expiresInDays: number;
}

/** A token, without the secret. */
export interface TokenRow {
  readonly id: number;
  readonly name: string;
  readonly scope: Scope;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

type Tables = typeof ApiTokenSchema | typeof UserSchema;

const columns = [
  'id',
  'name',
  'scope',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'last_used_at as lastUsedAt',
] as const;

/** Keys with which programs act for a person. Only digests are stored. */
@Injectable()
export class ApiTokenService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /**
   * Makes a token and tells the person by mail.
   * @returns its row and the secret, which is shown this once
   * @throws ADMIN_SCOPE when somebody who is no admin wants that scope; TOO_MANY_REQUESTS
   */
  async make(viewer: Viewer, wish: TokenWish, ipAddress: string | null): Promise<TokenRow & { token: string }> {
    if (wish.scope === 'admin' && !isStaff(viewer)) throw authErrors.ADMIN_SCOPE();
    await this.limits.take(BY_PERSON, viewer.userId);
    const token = `zonary_${newToken()}`;
    const row = await inTransaction(this.em, async (em) => {
      const made = await this.insert(em, viewer.userId, wish, digestOf(token));
      const { userId } = viewer;
      const fact: AuditFact = { type: 'user.token-made', actorId: userId, subjectId: userId, ipAddress };
      await this.audit.record(em, { ...fact, params: { tokenId: made.id, scope: wish.scope } });
      await this.jobs.enqueue(em, tellSecurityEvent, { userId, event: 'token-made', tokenName: wish.name });
      return made;
    });
    return { ...row, token };
  }

  /** The tokens of a person, the newest first; expired ones stay for a month. */
  async list(userId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<TokenRow>> {
    const own = query<Tables>(this.em).selectFrom('api_tokens').where('user_id', '=', userId);
    let rows = own
      .select(columns)
      .orderBy('id', 'desc')
      .limit(limit + 1);
    if (cursor) rows = rows.where('id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const { total } = await own.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    return pageOf(await rows.execute(), limit, total, ({ id }) => [id]);
  }

  /**
   * Deletes a token; it is refused from now on.
   * @throws API_TOKEN_NOT_FOUND
   */
  async revoke(userId: number, id: number, ipAddress: string | null): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const gone = await query<Tables>(em)
        .deleteFrom('api_tokens')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (gone.numDeletedRows === 0n) throw authErrors.API_TOKEN_NOT_FOUND();
      const fact: AuditFact = { type: 'user.token-revoked', actorId: userId, subjectId: userId, ipAddress };
      await this.audit.record(em, { ...fact, params: { tokenId: id } });
    });
  }

  /** Deletes all tokens of a person, in the caller's transaction. */
  async revokeAll(em: EntityManager, userId: number): Promise<void> {
    await query<Tables>(em).deleteFrom('api_tokens').where('user_id', '=', userId).execute();
  }

  /** Whom this token stands for, or null when it is unknown or expired, or the account is deactivated. */
  async resolve(token: string): Promise<Viewer | null> {
    const now = this.clock.now();
    const row = await query<Tables>(this.em)
      .selectFrom('api_tokens as t')
      .innerJoin('users as u', 'u.id', 't.user_id')
      .select(['t.id as tokenId', 't.scope as scope', 't.last_used_at as lastUsedAt'])
      .select(['u.id as userId', 'u.email as email', 'u.role as role', 'u.language as language'])
      .select('u.is_super_admin as isSuperAdmin')
      .where('t.digest', '=', digestOf(token))
      .where('t.expires_at', '>', now)
      .where('u.deactivated_at', 'is', null)
      .executeTakeFirst();
    if (!row) return null;
    const { tokenId, lastUsedAt, ...viewer } = row;
    if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() >= WRITE_EVERY) await this.touch(tokenId, now);
    return { ...viewer, restricted: false, sessionId: null };
  }

  private insert(em: EntityManager, userId: number, wish: TokenWish, digest: string): Promise<TokenRow> {
    const now = this.clock.now();
    return query<Tables>(em)
      .insertInto('api_tokens')
      .values({
        digest,
        user_id: userId,
        name: wish.name,
        scope: wish.scope,
        expires_at: after(now, wish.expiresInDays * DAY),
        created_at: now,
      })
      .returning(columns)
      .executeTakeFirstOrThrow();
  }

  private async touch(id: number, now: Date): Promise<void> {
    await query<Tables>(this.em).updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', id).execute();
  }
}

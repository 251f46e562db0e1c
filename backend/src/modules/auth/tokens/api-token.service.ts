import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository, type AuditRecord } from '../../../platform/audit/audit.repository.js';
import { Clock, DAY, HOUR } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { newToken } from '../../../platform/security/secrets.js';
import { SecurityEventLogService } from '../../../platform/security-events/security-event-log.service.js';
import { isStaff, requiresMfa } from '../access/access.policy.js';
import { authErrors } from '../auth.errors.js';
import { SessionService } from '../sessions/session.service.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { ApiTokenNetworkService } from '../security-events/api-token-network.service.js';
import { ApiTokenRepository, type ApiTokenRequest, type ApiTokenRow } from './api-token.repository.js';

/** Identifies tokens issued by this application. */
const TOKEN_PREFIX = 'zonary_';
/** Minimum interval between writes of `last_used_at`: one write per request would halve the throughput of reads. */
const LAST_USED_WRITE_INTERVAL = HOUR;
const LIMIT_PER_USER: RateRule = { name: 'api-token', limit: 20, window: HOUR };

/** Keys with which programs act for a user. Only digests are stored. */
@Injectable()
export class ApiTokenService {
  constructor(
    private readonly em: EntityManager,
    private readonly apiTokens: ApiTokenRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly sessions: SessionService,
    private readonly limits: RateLimitService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
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
      const created = await this.apiTokens.insertToken(em, viewer.userId, request, token);
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
    const { rows, total } = await this.apiTokens.findTokens(userId, { limit: limit + 1, cursor });
    return toPage(rows, limit, total, ({ id }) => [id]);
  }

  /**
   * Deletes a token, which is rejected from then on.
   * @throws API_TOKEN_NOT_FOUND
   */
  async revokeToken(userId: number, id: number, ipAddress: string | null): Promise<void> {
    await inTransaction(this.em, async (em) => {
      if (!(await this.apiTokens.deleteToken(em, userId, id))) throw authErrors.API_TOKEN_NOT_FOUND();
      const fact: AuditRecord = { type: 'user.token-revoked', actorId: userId, subjectId: userId, ipAddress };
      await this.audit.record(em, { ...fact, params: { tokenId: id } });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'token-deleted' });
    });
  }

  /**
   * Returns the owner of a token, or null if it is unknown or expired or the account is deactivated. Notifies the owner
   * of the first use from a network.
   * @param network of the client; empty if unknown
   */
  async resolveViewer(token: string, network: string): Promise<Viewer | null> {
    const now = this.clock.now();
    const row = await this.apiTokens.findViewer(token, network, now);
    if (!row) {
      // Bearer tokens that were never ours, such as that of /metrics, don't count as rejected tokens.
      if (token.startsWith(TOKEN_PREFIX)) this.securityEvents.countRejectedToken('unknown');
      return null;
    }
    const { tokenId, name, lastUsedAt, seenAt, isFactorless: lacksFactor, ...viewer } = row;
    const isStale = !seenAt || now.getTime() - seenAt.getTime() >= DAY;
    if (network && isStale) await this.tokenNetworks.recordUse({ tokenId, name, userId: viewer.userId }, network);
    if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() >= LAST_USED_WRITE_INTERVAL)
      await this.apiTokens.updateLastUsed(tokenId, now);
    const factorNeeded = lacksFactor && requiresMfa(viewer, this.config.requiresAdminMfa);
    return {
      ...viewer,
      needsMfaSetup: factorNeeded,
      restricted: false,
      hasIncompleteProfile: false,
      sessionId: null,
      isReauthenticated: false,
    };
  }
}

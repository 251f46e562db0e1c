import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository, type AuditRecord } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../../auth/auth.errors.js';
import { ApiTokenRepository } from '../../auth/tokens/api-token.repository.js';
import { SessionRepository } from '../../auth/sessions/session.repository.js';
import { SessionService } from '../../auth/sessions/session.service.js';
import { notifySecurityEvent } from '../../auth/auth.jobs.js';
import { UserRepository } from '../../auth/users/user.repository.js';

/** Ends a user's own sessions from the settings. */
@Injectable()
export class SessionTerminationService {
  constructor(
    private readonly em: EntityManager,
    private readonly sessions: SessionService,
    private readonly sessionRepository: SessionRepository,
    private readonly tokens: ApiTokenRepository,
    private readonly users: UserRepository,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Ends all sessions except the current one and deletes all API tokens. Notifies the user by email if there were any.
   */
  async endOtherSessions({ userId, sessionId }: Viewer, ipAddress: string | null): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await this.users.lockUser(em, userId);
      const ended = await this.sessions.endAllSessions(em, userId, sessionId);
      const tokens = await this.tokens.deleteTokensOf(em, userId);
      if (ended + tokens === 0) return;
      const fact: AuditRecord = { type: 'user.sessions-ended', actorId: userId, subjectId: userId, ipAddress };
      await this.audit.record(em, { ...fact, params: { ended, tokens } });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'sessions-ended' });
    });
  }

  /**
   * Ends one session.
   * @throws SESSION_NOT_FOUND if it has ended or belongs to another user
   */
  async endSession({ userId }: Viewer, id: number, ipAddress: string | null): Promise<void> {
    await inTransaction(this.em, async (em) => {
      if (!(await this.sessionRepository.deleteSession(em, userId, id))) throw authErrors.SESSION_NOT_FOUND();
      await this.audit.record(em, { type: 'user.session-ended', actorId: userId, subjectId: userId, ipAddress });
    });
  }
}

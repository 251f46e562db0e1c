import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit, type AuditFact } from '../../../platform/audit/audit.service.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../../auth/auth.errors.js';
import { ApiTokenService } from '../../auth/tokens/api-token.service.js';
import { SessionService } from '../../auth/sessions/session.service.js';
import { tellSecurityEvent } from '../../auth/auth.jobs.js';
import { UserService } from '../../auth/users/user.service.js';

/** Ending one's own sessions from the settings. */
@Injectable()
export class SessionEndingService {
  constructor(
    private readonly em: EntityManager,
    private readonly sessions: SessionService,
    private readonly tokens: ApiTokenService,
    private readonly users: UserService,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /** Ends all sessions but the one that asks, and all API tokens; tells the person by mail when there were any. */
  async endOthers({ userId, sessionId }: Viewer, ipAddress: string | null): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await this.users.lock(em, userId);
      const ended = await this.sessions.closeAll(em, userId, sessionId);
      const tokens = await this.tokens.revokeAll(em, userId);
      if (ended + tokens === 0) return;
      const fact: AuditFact = { type: 'user.sessions-ended', actorId: userId, subjectId: userId, ipAddress };
      await this.audit.record(em, { ...fact, params: { ended, tokens } });
      await this.jobs.enqueue(em, tellSecurityEvent, { userId, event: 'sessions-ended' });
    });
  }

  /**
   * Ends one session.
   * @throws SESSION_NOT_FOUND for one that has ended, or is somebody else's
   */
  async endOne({ userId }: Viewer, id: number, ipAddress: string | null): Promise<void> {
    await inTransaction(this.em, async (em) => {
      if (!(await this.sessions.closeOne(em, userId, id))) throw authErrors.SESSION_NOT_FOUND();
      await this.audit.record(em, { type: 'user.session-ended', actorId: userId, subjectId: userId, ipAddress });
    });
  }
}

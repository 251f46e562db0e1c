import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { SessionService } from '../sessions/session.service.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { canUnlinkIdentity } from './identity.policy.js';
import { UserRepository } from '../users/user.repository.js';
import { SingleSignOnRepository } from './single-sign-on.repository.js';
import { singleSignOnErrors } from '../auth.errors.js';

/** Unlinks identities in the settings. */
@Injectable()
export class LinkedIdentityService {
  constructor(
    private readonly em: EntityManager,
    private readonly identities: SingleSignOnRepository,
    private readonly users: UserRepository,
    private readonly sessions: SessionService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Unlinks an identity and notifies the user by email.
   * @throws IDENTITY_NOT_FOUND
   * @throws LAST_WAY_IN if the user would have no other way to sign in
   * @throws NOT_SIGNED_IN if the session has since ended
   */
  async unlinkIdentity(viewer: Viewer, id: number, ipAddress: string | null): Promise<void> {
    const { userId } = viewer;
    await inTransaction(this.em, async (em) => {
      const user = await this.sessions.lockUserOfSession(em, viewer);
      const rows = await this.identities.findIdentitiesOfLockedUser(em, userId);
      const found = rows.find((row) => row.id === id);
      if (!found) throw singleSignOnErrors.IDENTITY_NOT_FOUND();
      if (!canUnlinkIdentity(user, rows.length)) throw singleSignOnErrors.LAST_WAY_IN();
      await this.identities.deleteIdentity(em, id);
      await this.users.updateUser(em, user, { hasExternalIdentity: rows.length > 1 });
      await this.audit.record(em, {
        type: 'user.identity-unlinked',
        actorId: userId,
        subjectId: userId,
        ipAddress,
        params: { issuer: found.issuer },
      });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'identity-unlinked' });
    });
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { SessionService } from '../sessions/session.service.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { ExternalIdentitySchema } from './entities/external-identity.entity.js';
import type { LinkedIdentityDto } from './dto/single-sign-on.dto.js';
import { canUnlinkIdentity } from './identity.policy.js';
import { singleSignOnErrors } from '../auth.errors.js';

type IdentityRow = Omit<LinkedIdentityDto, 'provider'> & { readonly issuer: string };

/** A user's linked identities, as shown and unlinked in the settings. */
@Injectable()
export class LinkedIdentityService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly sessions: SessionService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
  ) {}

  /** Returns all identities, oldest first; one per account that the user has at the provider. */
  listIdentities(userId: number): Promise<IdentityRow[]> {
    return query<typeof ExternalIdentitySchema>(this.em)
      .selectFrom('external_identities')
      .select(['id', 'issuer', 'email', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
  }

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
      const rows = await query<typeof ExternalIdentitySchema>(em)
        .selectFrom('external_identities')
        .select(['id', 'issuer'])
        .where('user_id', '=', userId)
        .execute();
      const found = rows.find((row) => row.id === id);
      if (!found) throw singleSignOnErrors.IDENTITY_NOT_FOUND();
      if (!canUnlinkIdentity(user, rows.length)) throw singleSignOnErrors.LAST_WAY_IN();
      await query<typeof ExternalIdentitySchema>(em).deleteFrom('external_identities').where('id', '=', id).execute();
      em.assign(user, { hasExternalIdentity: rows.length > 1, updatedAt: this.clock.now() });
      await em.flush();
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

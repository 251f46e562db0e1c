import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../../platform/audit/audit.repository.js';
import { HOUR } from '../../../../platform/clock/clock.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { commonErrors } from '../../../../platform/errors/common.errors.js';
import { RateLimitService } from '../../../../platform/http/limits/rate-limit.service.js';
import { JobsService } from '../../../../platform/jobs/jobs.service.js';
import { UserRepository } from '../../../auth/users/user.repository.js';
import type { InvitePersonDto } from '../../dto/admin-user.dto.js';
import type { Operator } from '../../actor.js';
import { sendAccountInvitation } from '../../admin.jobs.js';

const EMAILS_PER_ADMIN = { name: 'account-invitation', limit: 60, window: HOUR };

/** Invites people to an account. */
@Injectable()
export class AccountInvitationService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserRepository,
    private readonly limits: RateLimitService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Creates an account without a password for an address, unless there is one, and emails its owner. The response is
   * the same for a known address. The address counts as verified only once its owner has used the link.
   * @throws FORBIDDEN if the viewer is no longer a super admin; TOO_MANY_REQUESTS
   */
  async invitePerson({ email, language = 'en' }: InvitePersonDto, { viewer, origin }: Operator): Promise<void> {
    await this.limits.consume(EMAILS_PER_ADMIN, viewer.userId);
    await inTransaction(this.em, async (em) => {
      const superAdminIds = await this.users.lockActiveSuperAdmins(em);
      if (!superAdminIds.includes(viewer.userId)) throw commonErrors.FORBIDDEN();
      const { id } = await this.users.findOrCreateUnverified(em, email, language);
      await this.audit.record(em, {
        type: 'user.invited',
        actorId: viewer.userId,
        subjectId: id,
        ipAddress: origin.ipAddress,
      });
      await this.jobs.enqueue(em, sendAccountInvitation, { userId: id });
    });
  }
}

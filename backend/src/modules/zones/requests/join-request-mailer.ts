import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { NotificationThrottleService } from '../../../platform/notification-throttle/notification-throttle.service.js';
import { fullName } from '../../auth/entities/user.entity.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { MembershipRepository } from '../joining/membership.repository.js';
import { ZoneRepository } from '../zone/zone.repository.js';
import { notifyJoinRequestApproved, notifyJoinRequestDeclined, notifyJoinRequests } from '../zones.jobs.js';
import { joinRequestApprovedEmail } from '../emails/join-request-approved.email.js';
import { JoinRequestRepository } from './join-request.repository.js';
import { joinRequestsEmail } from './join-requests.email.js';
import { joinRequestDeclinedEmail } from './join-request-declined.email.js';

/** Maximum names listed in one email; the rest is given as a number. */
const MAX_NAMED = 10;

/** Sends emails about join requests. */
@Injectable()
export class JoinRequestMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly requests: JoinRequestRepository,
    private readonly zones: ZoneRepository,
    private readonly memberships: MembershipRepository,
    private readonly users: UserRepository,
    private readonly config: AppConfig,
    private readonly notices: NotificationThrottleService,
    private readonly email: EmailService,
  ) {}

  @OnJob(notifyJoinRequests)
  async notifyApprovers({ zoneId }: { zoneId: number }, { id }: JobContext): Promise<void> {
    const zoneName = await this.zones.findName(zoneId);
    if (zoneName === null || !(await this.claimNotice(zoneId, id))) return;
    const pending = await this.requests.findClaimed(id, MAX_NAMED);
    if (pending.length === 0) return;
    const people = pending.map((person) => ({ name: fullName(person), email: person.email }));
    for (const approver of await this.memberships.findManagers(zoneId)) {
      await this.email.send(joinRequestsEmail, {
        to: approver.email,
        language: approver.language,
        values: {
          zoneName,
          people,
          more: pending[0]!.total - people.length,
          url: `${this.config.appUrl}/zones/${zoneId}/members`,
        },
        idempotencyKey: `job-${id}-${approver.id}`,
      });
    }
  }

  @OnJob(notifyJoinRequestApproved)
  async notifyApproved({ zoneId, userId }: { zoneId: number; userId: number }, { id }: JobContext): Promise<void> {
    const zoneName = await this.zones.findName(zoneId);
    const user = await this.users.findActiveUser(userId);
    if (zoneName === null || !user) return;
    await this.email.send(joinRequestApprovedEmail, {
      to: user.email,
      language: user.language,
      values: { url: `${this.config.appUrl}/zones/${zoneId}`, zoneName },
      idempotencyKey: `job-${id}`,
    });
  }

  @OnJob(notifyJoinRequestDeclined)
  async notifyDeclined({ zoneId, userId }: { zoneId: number; userId: number }, { id }: JobContext): Promise<void> {
    const zoneName = await this.zones.findName(zoneId);
    const user = await this.users.findActiveUser(userId);
    if (zoneName === null || !user) return;
    await this.email.send(joinRequestDeclinedEmail, {
      to: user.email,
      language: user.language,
      values: { zoneName },
      idempotencyKey: `job-${id}`,
    });
  }

  /**
   * Claims the due notifications for this job; a retry of the job finds the ones it claimed before. Within an hour of
   * another notification nothing is claimed and the job is postponed.
   */
  private claimNotice(zoneId: number, jobId: number): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      if (!(await this.requests.hasNoticeFor(em, zoneId, jobId))) return false;
      const notice = { definition: notifyJoinRequests, payload: { zoneId }, subjectId: zoneId, jobId };
      if (!(await this.notices.tryAcquire(em, notice))) return false;
      await this.requests.claimNotices(em, zoneId, jobId);
      return true;
    });
  }
}

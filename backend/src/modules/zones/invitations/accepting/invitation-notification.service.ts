import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../../platform/config/app-config.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import type { JobContext } from '../../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../../platform/email/email.service.js';
import {
  NotificationThrottleService,
  type ThrottledNotification,
} from '../../../../platform/notification-throttle/notification-throttle.service.js';
import { fullName } from '../../../auth/entities/user.entity.js';
import { UserRepository } from '../../../auth/users/user.repository.js';
import { notifyInvitationAccepted, notifyUndeliverableInvitations } from '../../zones.jobs.js';
import { invitationAcceptedEmail } from '../emails/invitation-accepted.email.js';
import { invitationUndeliverableEmail } from '../emails/invitation-undeliverable.email.js';
import { InvitationNoticeRepository, type DueNotices } from './invitation-notice.repository.js';

/** Maximum names or addresses listed in one email; the rest is given as a number. */
const MAX_NAMED = 10;

/** Notifies inviters about the outcome of their invitations, at most once an hour. */
@Injectable()
export class InvitationNotificationService {
  constructor(
    private readonly em: EntityManager,
    private readonly notices: InvitationNoticeRepository,
    private readonly users: UserRepository,
    private readonly config: AppConfig,
    private readonly throttle: NotificationThrottleService,
    private readonly email: EmailService,
  ) {}

  @OnJob(notifyInvitationAccepted)
  async notifyAccepted({ ownerId }: { ownerId: number }, { id }: JobContext): Promise<void> {
    const notice = { definition: notifyInvitationAccepted, payload: { ownerId }, subjectId: ownerId, jobId: id };
    if (!(await this.claimNotices(notice, { acceptedForOwner: ownerId }))) return;
    const owner = await this.users.findActiveUser(ownerId);
    if (!owner?.notifyAcceptedInvitations) return;
    const people = await this.notices.findClaimedAccepted(id, MAX_NAMED);
    if (people.length === 0) return;
    const named = people.map((person) => ({
      name: fullName(person) || person.email,
      zoneName: person.zoneName,
    }));
    await this.email.send(invitationAcceptedEmail, {
      to: owner.email,
      language: owner.language,
      values: { url: `${this.config.appUrl}/zones`, people: named, more: people[0]!.total - people.length },
      idempotencyKey: `job-${id}`,
    });
  }

  @OnJob(notifyUndeliverableInvitations)
  async notifyUndeliverable({ inviterId }: { inviterId: number }, { id }: JobContext): Promise<void> {
    const notice = {
      definition: notifyUndeliverableInvitations,
      payload: { inviterId },
      subjectId: inviterId,
      jobId: id,
    };
    if (!(await this.claimNotices(notice, { undeliverableForInviter: inviterId }))) return;
    const inviter = await this.users.findActiveUser(inviterId);
    const undelivered = await this.notices.findClaimedUndeliverable(id, MAX_NAMED);
    if (!inviter || undelivered.length === 0) return;
    await this.email.send(invitationUndeliverableEmail, {
      to: inviter.email,
      language: inviter.language,
      values: {
        invitations: undelivered,
        more: undelivered[0]!.total - undelivered.length,
        url: `${this.config.appUrl}/zones/${undelivered[0]!.zoneId}/members`,
      },
      idempotencyKey: `job-${id}`,
    });
  }

  /**
   * Claims the due notifications for this job; a retry of the job finds the ones it claimed before. Within an hour of
   * another notification nothing is claimed and the job is postponed.
   */
  private claimNotices<P extends object>(notice: ThrottledNotification<P>, due: DueNotices): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      if (!(await this.notices.hasNoticeFor(em, due, notice.jobId))) return false;
      if (!(await this.throttle.tryAcquire(em, notice))) return false;
      await this.notices.claimNotices(em, due, notice.jobId);
      return true;
    });
  }
}

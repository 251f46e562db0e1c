import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimitService } from '../../../platform/http/limits/rate-limit.service.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobRepository } from '../../../platform/jobs/job.repository.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { fullName } from '../../auth/entities/user.entity.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { memberAddedEmail } from '../emails/member-added.email.js';
import type { Zone } from '../entities/zone.entity.js';
import { OWNER_INVITATION_RATE } from '../invitations/invitation.service.js';
import { MembershipRepository } from '../joining/membership.repository.js';
import { ZoneRepository } from '../zone/zone.repository.js';
import { SuppressionRepository } from '../leaving/suppression.repository.js';
import { UnsubscribeLinkService } from '../leaving/unsubscribe-link.service.js';
import { NonMemberEmailQuotaService } from '../email-quota/non-member-email-quota.service.js';
import { notifyMemberAdded, notifyUnnotifiedMembers } from '../zones.jobs.js';

type NotificationZone = Pick<Zone, 'id' | 'ownerId'>;

/** Notifies people added by an import. They did not ask for it, so the limits of invitations apply. */
@Injectable()
export class ImportNotificationService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly limits: RateLimitService,
    private readonly nonMemberEmailQuota: NonMemberEmailQuotaService,
    private readonly memberships: MembershipRepository,
    private readonly zones: ZoneRepository,
    private readonly users: UserRepository,
    private readonly suppressions: SuppressionRepository,
    private readonly links: UnsubscribeLinkService,
    private readonly jobRepository: JobRepository,
    private readonly jobs: JobsService,
    private readonly email: EmailService,
  ) {}

  /**
   * Enqueues notifications in order, as far as the owner's hourly and daily limits allow; used quota is never refunded.
   * Runs in a transaction of its own: the daily email counters are locked before the plan usage, which adding members
   * locks last.
   * @param jobId fallback job that notifies them if this fails; it is deleted here
   * @returns the addresses that will be notified
   */
  async enqueueNotifications(
    zone: NotificationZone,
    emails: readonly string[],
    jobId: number,
  ): Promise<ReadonlySet<string>> {
    const { granted } = await this.limits.consumeUpTo(OWNER_INVITATION_RATE, zone.ownerId, emails.length);
    return inTransaction(this.em, async (em) => {
      if (!(await this.jobRepository.deleteJob(em, jobId))) return new Set(emails);
      const allowedEmails = await this.nonMemberEmailQuota.reserveForAddresses(
        em,
        zone.ownerId,
        emails.slice(0, granted),
      );
      const ordered = emails.filter((email) => allowedEmails.has(email));
      const sendable = await this.nonMemberEmailQuota.reserveUpTo(em, zone.ownerId, ordered.length);
      const notified = ordered.slice(0, sendable);
      const ids = await this.users.findIdsByEmail(em, notified);
      await this.jobs.enqueueMany(
        em,
        notifyMemberAdded,
        ids.map((userId) => ({ zoneId: zone.id, userId })),
      );
      return new Set(notified);
    });
  }

  /** Renders the email as the importing user would receive it, with a placeholder instead of the leave link. */
  async previewEmail(
    zone: NotificationZone & Pick<Zone, 'name'>,
    language: Language,
  ): Promise<{ subject: string; text: string }> {
    const leaveUrl = `${this.config.appUrl}/unsubscribe/…`;
    const { subject, text } = await this.email.preview(
      memberAddedEmail,
      language,
      await this.emailValues(zone, leaveUrl),
    );
    return { subject, text };
  }

  /** Notifies the people of a chunk whose import added them without notifying them. */
  @OnJob(notifyUnnotifiedMembers)
  async notifyRemaining({ zoneId, userIds }: { zoneId: number; userIds: readonly number[] }, { id }: JobContext) {
    const zone = await this.zones.findZone(zoneId);
    if (!zone) return;
    const emails = await this.users.findActiveEmails(userIds);
    await this.enqueueNotifications(zone, emails, id);
  }

  /** Skips people who have left or been suppressed since the import. */
  @OnJob(notifyMemberAdded)
  async sendNotification({ zoneId, userId }: { zoneId: number; userId: number }, { id }: JobContext): Promise<void> {
    const zone = await this.zones.findZone(zoneId);
    const user = await this.users.findActiveUser(userId);
    if (!zone || !user || !(await this.memberships.isMember(this.em, zoneId, userId))) return;
    if ((await this.suppressions.findSuppressed(this.em, zone.ownerId, [user.email])).size > 0) return;
    await this.email.send(memberAddedEmail, {
      to: user.email,
      language: user.language,
      values: await this.emailValues(zone, this.links.pageUrl({ userId, zoneId })),
      idempotencyKey: `job-${id}`,
      headers: this.links.headers({ userId, zoneId }),
    });
  }

  private async emailValues(zone: Pick<Zone, 'id' | 'name' | 'ownerId'>, leaveUrl: string) {
    const owner = await this.users.getManagedUser(zone.ownerId);
    const url = `${this.config.appUrl}/zones/${zone.id}`;
    return { url, leaveUrl, zoneName: zone.name, ownerName: fullName(owner) };
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimitService } from '../../../platform/http/limits/rate-limit.service.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { fullName, User, UserSchema } from '../../auth/entities/user.entity.js';
import { memberAddedEmail } from '../emails/member-added.email.js';
import { Zone } from '../entities/zone.entity.js';
import { OWNER_INVITATION_RATE } from '../invitations/invitation.service.js';
import { MembershipService } from '../joining/membership.service.js';
import { SuppressionService } from '../leaving/suppression.service.js';
import { UnsubscribeLinkService } from '../leaving/unsubscribe-link.service.js';
import { NonMemberEmailQuotaService } from '../email-quota/non-member-email-quota.service.js';
import { notifyMemberAdded, notifyUnnotifiedMembers } from '../zones.jobs.js';

type NotificationZone = Pick<Zone, 'id' | 'ownerId'>;

/** Mails to people whom an import has added. They asked for nothing, so what bounds invitations bounds these. */
@Injectable()
export class ImportNotificationService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly limits: RateLimitService,
    private readonly nonMemberEmailQuota: NonMemberEmailQuotaService,
    private readonly membership: MembershipService,
    private readonly suppressions: SuppressionService,
    private readonly links: UnsubscribeLinkService,
    private readonly jobs: JobsService,
    private readonly email: EmailService,
  ) {}

  /**
   * Has the people told, in their order, as far as the owner's hour and day go; what they use is never given back. In a
   * transaction of its own: mails of the day are locked before what the plan holds, and an admission locks that last.
   * @param jobId tells them should this not come to its end, and is revoked with it
   * @returns the addresses that are written to
   */
  async enqueueNotifications(
    zone: NotificationZone,
    emails: readonly string[],
    jobId: number,
  ): Promise<ReadonlySet<string>> {
    const { granted } = await this.limits.consumeUpTo(OWNER_INVITATION_RATE, zone.ownerId, emails.length);
    return inTransaction(this.em, async (em) => {
      if (!(await this.jobs.revoke(em, jobId))) return new Set(emails);
      const allowedEmails = await this.nonMemberEmailQuota.reserveForAddresses(
        em,
        zone.ownerId,
        emails.slice(0, granted),
      );
      const ordered = emails.filter((email) => allowedEmails.has(email));
      const sendable = await this.nonMemberEmailQuota.reserveUpTo(em, zone.ownerId, ordered.length);
      const notified = ordered.slice(0, sendable);
      const ids = await this.findUserIds(em, notified);
      await this.jobs.enqueueMany(
        em,
        notifyMemberAdded,
        ids.map((userId) => ({ zoneId: zone.id, userId })),
      );
      return new Set(notified);
    });
  }

  /** What the mail says, as whoever imports would get it; its way out leads nowhere. */
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

  /** Those of a chunk whom its import has added and not told. */
  @OnJob(notifyUnnotifiedMembers)
  async notifyRemaining({ zoneId, userIds }: { zoneId: number; userIds: readonly number[] }, { id }: JobContext) {
    const zone = await this.em.findOne(Zone, { id: zoneId, deletedAt: null });
    if (!zone) return;
    const open = { id: { $in: userIds }, deactivatedAt: null, erasedAt: null };
    const users = await this.em.find(User, open, { orderBy: { id: 'asc' } });
    await this.enqueueNotifications(
      zone,
      users.map(({ email }) => email),
      id,
    );
  }

  /** Passes over who has gone, or is written to no more, since the import. */
  @OnJob(notifyMemberAdded)
  async sendNotification({ zoneId, userId }: { zoneId: number; userId: number }, { id }: JobContext): Promise<void> {
    const zone = await this.em.findOne(Zone, { id: zoneId, deletedAt: null });
    const user = await this.em.findOne(User, { id: userId, deactivatedAt: null, erasedAt: null });
    if (!zone || !user || !(await this.membership.isMember(this.em, zoneId, userId))) return;
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
    const owner = await this.em.findOneOrFail(User, { id: zone.ownerId });
    const url = `${this.config.appUrl}/zones/${zone.id}`;
    return { url, leaveUrl, zoneName: zone.name, ownerName: fullName(owner) };
  }

  private async findUserIds(em: EntityManager, emails: readonly string[]): Promise<number[]> {
    if (emails.length === 0) return [];
    const rows = await query<typeof UserSchema>(em)
      .selectFrom('users')
      .select('id')
      .where('email', 'in', emails)
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }
}

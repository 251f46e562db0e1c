import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimits } from '../../../platform/http/limits/rate-limits.service.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import { User, UserSchema } from '../../auth/entities/user.entity.js';
import { addedMail } from '../emails/added.email.js';
import { personName } from '../entities/zone-member.entity.js';
import { Zone } from '../entities/zone.entity.js';
import { INVITATIONS_BY_OWNER } from '../invitations/invitation.service.js';
import { MemberAdmission } from '../joining/member-admission.service.js';
import { SuppressionService } from '../leaving/suppression.service.js';
import { UnsubscribeLinkService } from '../leaving/unsubscribe-link.service.js';
import { StrangerMails } from '../strangers/stranger-mail.service.js';
import { tellAdded, tellLeftOver } from '../zones.jobs.js';

type TellingZone = Pick<Zone, 'id' | 'ownerId'>;

/** Mails to people whom an import has added. They asked for nothing, so what bounds invitations bounds these. */
@Injectable()
export class TellingService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly limits: RateLimits,
    private readonly strangers: StrangerMails,
    private readonly members: MemberAdmission,
    private readonly suppressions: SuppressionService,
    private readonly links: UnsubscribeLinkService,
    private readonly jobs: Jobs,
    private readonly mail: MailService,
  ) {}

  /**
   * Has the people told, in their order, as far as the owner's hour and day go; what they use is never given back. In a
   * transaction of its own: mails of the day are locked before what the plan holds, and an admission locks that last.
   * @param jobId tells them should this not come to its end, and is revoked with it
   * @returns the addresses that are written to
   */
  async tell(zone: TellingZone, emails: readonly string[], jobId: number): Promise<ReadonlySet<string>> {
    const { granted } = await this.limits.spendUpTo(INVITATIONS_BY_OWNER, zone.ownerId, emails.length);
    return inTransaction(this.em, async (em) => {
      if (!(await this.jobs.revoke(em, jobId))) return new Set(emails);
      const reachable = await this.strangers.chargeAddresses(em, zone.ownerId, emails.slice(0, granted));
      const ordered = emails.filter((email) => reachable.has(email));
      const room = await this.strangers.chargeUpTo(em, zone.ownerId, ordered.length);
      const told = ordered.slice(0, room);
      const ids = await this.idsOf(em, told);
      await this.jobs.enqueueMany(
        em,
        tellAdded,
        ids.map((userId) => ({ zoneId: zone.id, userId })),
      );
      return new Set(told);
    });
  }

  /** What the mail says, as whoever imports would get it; its way out leads nowhere. */
  async preview(
    zone: TellingZone & Pick<Zone, 'name'>,
    language: Language,
  ): Promise<{ subject: string; text: string }> {
    const leaveUrl = `${this.config.appUrl}/unsubscribe/…`;
    const { subject, text } = await this.mail.preview(addedMail, language, await this.values(zone, leaveUrl));
    return { subject, text };
  }

  /** Those of a chunk whom its import has added and not told. */
  @OnJob(tellLeftOver)
  async tellRest({ zoneId, userIds }: { zoneId: number; userIds: readonly number[] }, { id }: JobContext) {
    const zone = await this.em.findOne(Zone, { id: zoneId, deletedAt: null });
    if (!zone) return;
    const open = { id: { $in: userIds }, deactivatedAt: null, erasedAt: null };
    const users = await this.em.find(User, open, { orderBy: { id: 'asc' } });
    await this.tell(
      zone,
      users.map(({ email }) => email),
      id,
    );
  }

  /** Passes over who has gone, or is written to no more, since the import. */
  @OnJob(tellAdded)
  async send({ zoneId, userId }: { zoneId: number; userId: number }, { id }: JobContext): Promise<void> {
    const zone = await this.em.findOne(Zone, { id: zoneId, deletedAt: null });
    const user = await this.em.findOne(User, { id: userId, deactivatedAt: null, erasedAt: null });
    if (!zone || !user || !(await this.members.isMember(this.em, zoneId, userId))) return;
    if ((await this.suppressions.suppressed(this.em, zone.ownerId, [user.email])).size > 0) return;
    await this.mail.send(addedMail, {
      to: user.email,
      language: user.language,
      values: await this.values(zone, this.links.pageUrl({ userId, zoneId })),
      idempotencyKey: `job-${id}`,
      headers: this.links.headers({ userId, zoneId }),
    });
  }

  private async values(zone: Pick<Zone, 'id' | 'name' | 'ownerId'>, leaveUrl: string) {
    const owner = await this.em.findOneOrFail(User, { id: zone.ownerId });
    const url = `${this.config.appUrl}/zones/${zone.id}`;
    return { url, leaveUrl, zoneName: zone.name, ownerName: personName(owner) };
  }

  private async idsOf(em: EntityManager, emails: readonly string[]): Promise<number[]> {
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

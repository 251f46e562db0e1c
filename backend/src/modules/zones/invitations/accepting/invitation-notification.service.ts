import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AppConfig } from '../../../../platform/config/app-config.js';
import { query } from '../../../../platform/database/query.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import type { JobContext } from '../../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../../platform/email/email.service.js';
import {
  NotificationThrottleService,
  type ThrottledNotification,
} from '../../../../platform/notification-throttle/notification-throttle.service.js';
import { fullName, User, UserSchema } from '../../../auth/entities/user.entity.js';
import { InvitationSchema } from '../../entities/invitation.entity.js';
import { ZoneSchema } from '../../entities/zone.entity.js';
import { notifyInvitationAccepted, notifyUndeliverableInvitations } from '../../zones.jobs.js';
import { invitationAcceptedEmail } from '../emails/invitation-accepted.email.js';
import { invitationUndeliverableEmail } from '../emails/invitation-undeliverable.email.js';

type Tables = typeof InvitationSchema | typeof ZoneSchema | typeof UserSchema;

/** Maximum names or addresses listed in one email; the rest is given as a number. */
const MAX_NAMED = 10;

/** Notifies inviters about the outcome of their invitations, at most once an hour. */
@Injectable()
export class InvitationNotificationService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly notices: NotificationThrottleService,
    private readonly email: EmailService,
  ) {}

  @OnJob(notifyInvitationAccepted)
  async notifyAccepted({ ownerId }: { ownerId: number }, { id }: JobContext): Promise<void> {
    const notice = { definition: notifyInvitationAccepted, payload: { ownerId }, subjectId: ownerId, jobId: id };
    if (!(await this.claimNotices(notice, (em) => this.dueAcceptedQuery(em, ownerId)))) return;
    const owner = await this.em.findOne(User, { id: ownerId, deactivatedAt: null });
    if (!owner?.notifyAcceptedInvitations) return;
    const people = await this.findClaimedAccepted(id);
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
    if (!(await this.claimNotices(notice, (em) => this.dueUndeliverableQuery(em, inviterId)))) return;
    const inviter = await this.em.findOne(User, { id: inviterId, deactivatedAt: null });
    const undelivered = await this.findClaimedUndeliverable(id);
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
   * @param dueOf query for the ids of the due invitations
   */
  private claimNotices<P extends object>(
    notice: ThrottledNotification<P>,
    dueOf: (em: EntityManager) => ReturnType<InvitationNotificationService['dueQuery']>,
  ): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      const any = await query<Tables>(em)
        .selectFrom('invitations')
        .select('id')
        .where((where) => where.or([where('notice_job_id', '=', notice.jobId), where('id', 'in', dueOf(em))]))
        .limit(1)
        .executeTakeFirst();
      if (!any || !(await this.notices.tryAcquire(em, notice))) return false;
      await query<Tables>(em)
        .updateTable('invitations')
        .set({ is_notice_due: false, notice_job_id: notice.jobId })
        .where('id', 'in', dueOf(em))
        .execute();
      return true;
    });
  }

  private dueQuery(em: EntityManager) {
    return query<Tables>(em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .select('i.id')
      .where('i.is_notice_due', '=', true);
  }

  private dueAcceptedQuery(em: EntityManager, ownerId: number) {
    return this.dueQuery(em).where('i.undeliverable_at', 'is', null).where('z.owner_id', '=', ownerId);
  }

  /** Bounces of inviters whose account no longer exists are reported to the zone's owner. */
  private dueUndeliverableQuery(em: EntityManager, inviterId: number) {
    return this.dueQuery(em)
      .where('i.undeliverable_at', 'is not', null)
      .where((where) =>
        where.or([
          where('i.invited_by_id', '=', inviterId),
          where.and([where('i.invited_by_id', 'is', null), where('z.owner_id', '=', inviterId)]),
        ]),
      );
  }

  private findClaimedAccepted(jobId: number) {
    return query<Tables>(this.em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .leftJoin('users as u', 'u.email', 'i.email')
      .select(['i.email as email', 'z.name as zoneName'])
      .select(['u.first_name as firstName', 'u.last_name as lastName'])
      .select(sql<number>`count(*) over ()::int`.as('total'))
      .where('i.notice_job_id', '=', jobId)
      .orderBy('i.id')
      .limit(MAX_NAMED)
      .execute();
  }

  /** Returns the first invitations that are still undeliverable, with the total. */
  private findClaimedUndeliverable(jobId: number) {
    return query<Tables>(this.em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .select(['i.email as email', 'z.id as zoneId', 'z.name as zoneName'])
      .select(sql<number>`count(*) over ()::int`.as('total'))
      .where('i.notice_job_id', '=', jobId)
      .where('i.undeliverable_at', 'is not', null)
      .where('i.used', '=', false)
      .where('z.deleted_at', 'is', null)
      .orderBy('i.id')
      .limit(MAX_NAMED)
      .execute();
  }
}

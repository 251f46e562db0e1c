import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { NotificationThrottleService } from '../../../platform/notification-throttle/notification-throttle.service.js';
import { fullName, User, UserSchema } from '../../auth/entities/user.entity.js';
import { JoinRequestSchema } from '../entities/join-request.entity.js';
import { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import { Zone } from '../entities/zone.entity.js';
import { notifyJoinRequestApproved, notifyJoinRequestDeclined, notifyJoinRequests } from '../zones.jobs.js';
import { joinRequestApprovedEmail } from '../emails/join-request-approved.email.js';
import { joinRequestsEmail } from './join-requests.email.js';
import { joinRequestDeclinedEmail } from './join-request-declined.email.js';

type Tables = typeof JoinRequestSchema | typeof ZoneMemberSchema | typeof UserSchema;

/** Maximum names listed in one email; the rest is given as a number. */
const MAX_NAMED = 10;

/** Sends emails about join requests. */
@Injectable()
export class JoinRequestMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly notices: NotificationThrottleService,
    private readonly email: EmailService,
  ) {}

  @OnJob(notifyJoinRequests)
  async notifyApprovers({ zoneId }: { zoneId: number }, { id }: JobContext): Promise<void> {
    const zone = await this.em.findOne(Zone, { id: zoneId, deletedAt: null });
    if (!zone || !(await this.claimNotice(zoneId, id))) return;
    const pending = await this.findClaimed(id);
    if (pending.length === 0) return;
    const people = pending.map((person) => ({ name: fullName(person), email: person.email }));
    for (const approver of await this.findApprovers(zoneId)) {
      await this.email.send(joinRequestsEmail, {
        to: approver.email,
        language: approver.language,
        values: {
          zoneName: zone.name,
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
    const zone = await this.em.findOne(Zone, { id: zoneId, deletedAt: null });
    const user = await this.em.findOne(User, { id: userId, deactivatedAt: null });
    if (!zone || !user) return;
    await this.email.send(joinRequestApprovedEmail, {
      to: user.email,
      language: user.language,
      values: { url: `${this.config.appUrl}/zones/${zone.id}`, zoneName: zone.name },
      idempotencyKey: `job-${id}`,
    });
  }

  @OnJob(notifyJoinRequestDeclined)
  async notifyDeclined({ zoneId, userId }: { zoneId: number; userId: number }, { id }: JobContext): Promise<void> {
    const zone = await this.em.findOne(Zone, { id: zoneId, deletedAt: null });
    const user = await this.em.findOne(User, { id: userId, deactivatedAt: null });
    if (!zone || !user) return;
    await this.email.send(joinRequestDeclinedEmail, {
      to: user.email,
      language: user.language,
      values: { zoneName: zone.name },
      idempotencyKey: `job-${id}`,
    });
  }

  /**
   * Claims the due notifications for this job; a retry of the job finds the ones it claimed before. Within an hour of
   * another notification nothing is claimed and the job is postponed.
   */
  private claimNotice(zoneId: number, jobId: number): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      const due = await query<Tables>(em)
        .selectFrom('join_requests')
        .select('id')
        .where('zone_id', '=', zoneId)
        .where((where) => where.or([where('notice_job_id', '=', jobId), where('is_notice_due', '=', true)]))
        .limit(1)
        .executeTakeFirst();
      const notice = { definition: notifyJoinRequests, payload: { zoneId }, subjectId: zoneId, jobId };
      if (!due || !(await this.notices.tryAcquire(em, notice))) return false;
      await query<Tables>(em)
        .updateTable('join_requests')
        .set({ is_notice_due: false, notice_job_id: jobId })
        .where('zone_id', '=', zoneId)
        .where('is_notice_due', '=', true)
        .execute();
      return true;
    });
  }

  /**
   * Returns the first requests that are still pending, with the total. Requests approved, declined or blocked in the
   * meantime are left out.
   */
  private findClaimed(jobId: number) {
    return query<Tables>(this.em)
      .selectFrom('join_requests as r')
      .innerJoin('users as u', 'u.id', 'r.user_id')
      .select(['u.email as email', 'u.first_name as firstName', 'u.last_name as lastName'])
      .select(sql<number>`count(*) over ()::int`.as('total'))
      .where('r.notice_job_id', '=', jobId)
      .where('r.declined_at', 'is', null)
      .orderBy('r.id')
      .limit(MAX_NAMED)
      .execute();
  }

  /** Returns the owner and the zone's admins, except deactivated ones. */
  private findApprovers(zoneId: number) {
    return query<Tables>(this.em)
      .selectFrom('zone_members as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select(['u.id as id', 'u.email as email', 'u.language as language'])
      .where('m.zone_id', '=', zoneId)
      .where('m.role', 'in', ['owner', 'admin'])
      .where('u.deactivated_at', 'is', null)
      .where((where) => where.or([where('m.expires_at', 'is', null), where('m.expires_at', '>', this.clock.now())]))
      .orderBy('u.id')
      .execute();
  }
}

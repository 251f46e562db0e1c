import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, HOUR } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobHandler } from '../../../platform/jobs/job-handler.decorator.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import { User, UserSchema } from '../../auth/entities/user.entity.js';
import { InvitationNoticeSchema } from '../entities/invitation-notice.entity.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';
import { invitationAcceptedMail } from './emails/invitation-accepted.email.js';
import { personName } from './person-name.js';
import { tellInvitationAccepted } from './tell-invitation-accepted.job.js';

type Tables = typeof InvitationSchema | typeof InvitationNoticeSchema | typeof ZoneSchema | typeof UserSchema;

/** An owner hears of the first acceptance at once, and of those within the hour after it together. */
const TOGETHER = HOUR;
const NAMED = 10;

@Injectable()
@JobHandler(tellInvitationAccepted)
export class TellInvitationAcceptedHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly jobs: Jobs,
    private readonly mail: MailService,
  ) {}

  async handle({ ownerId }: { ownerId: number }, { id }: JobContext): Promise<void> {
    if (!(await this.claim(ownerId, id))) return;
    const owner = await this.em.findOne(User, { id: ownerId, deactivatedAt: null });
    if (!owner?.notifyAcceptedInvitations) return;
    const people = await this.claimed(id);
    if (people.length === 0) return;
    const named = people.slice(0, NAMED).map((person) => ({
      name: personName(person) || person.email,
      zoneName: person.zoneName,
    }));
    await this.mail.send(invitationAcceptedMail, {
      to: owner.email,
      language: owner.language,
      values: { url: `${this.config.appUrl}/zones`, people: named, more: people.length - named.length },
      idempotencyKey: `job-${id}`,
    });
  }

  /**
   * Takes what is to be told, for this job alone; a second try of the job finds what the first one took. Within an hour
   * of another notice nothing is taken: the job comes back then.
   */
  private claim(ownerId: number, jobId: number): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      if (!(await this.isDue(em, ownerId, jobId))) return false;
      if (!(await this.takeTurn(em, ownerId, jobId))) return false;
      await query<Tables>(em)
        .updateTable('invitations')
        .set({ is_notice_due: false, notice_job_id: jobId })
        .where('is_notice_due', '=', true)
        .where('zone_id', 'in', this.zonesOf(em, ownerId))
        .execute();
      return true;
    });
  }

  /** True when something is to be told, or was taken by an earlier try of this job. */
  private async isDue(em: EntityManager, ownerId: number, jobId: number): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('invitations')
      .select('id')
      .where((where) =>
        where.or([
          where('notice_job_id', '=', jobId),
          where.and([where('is_notice_due', '=', true), where('zone_id', 'in', this.zonesOf(em, ownerId))]),
        ]),
      )
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** True for one job in an hour, at each of its tries; the others are put off to the hour's end. */
  private async takeTurn(em: EntityManager, ownerId: number, jobId: number): Promise<boolean> {
    const now = this.clock.now();
    const turn = { job_id: jobId, told_at: now };
    const taken = await query<Tables>(em)
      .insertInto('invitation_notices')
      .values({ owner_id: ownerId, ...turn })
      .onConflict((conflict) =>
        conflict
          .column('owner_id')
          .doUpdateSet(turn)
          .where((where) =>
            where.or([
              where('invitation_notices.told_at', '<=', after(now, -TOGETHER)),
              where('invitation_notices.job_id', '=', jobId),
            ]),
          ),
      )
      .returning('owner_id')
      .executeTakeFirst();
    if (taken) return true;
    const last = await query<Tables>(em)
      .selectFrom('invitation_notices')
      .select('told_at')
      .where('owner_id', '=', ownerId)
      .executeTakeFirstOrThrow();
    await this.jobs.enqueue(em, tellInvitationAccepted, { ownerId }, { runAt: after(last.told_at, TOGETHER) });
    return false;
  }

  private zonesOf(em: EntityManager, ownerId: number) {
    return query<Tables>(em).selectFrom('zones').select('id').where('owner_id', '=', ownerId);
  }

  private claimed(jobId: number) {
    return query<Tables>(this.em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .leftJoin('users as u', 'u.email', 'i.email')
      .select(['i.email as email', 'z.name as zoneName'])
      .select(['u.first_name as firstName', 'u.last_name as lastName'])
      .where('i.notice_job_id', '=', jobId)
      .orderBy('i.id')
      .execute();
  }
}

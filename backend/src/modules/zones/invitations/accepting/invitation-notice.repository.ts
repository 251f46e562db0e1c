import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../../platform/database/query.js';
import type { UserSchema } from '../../../auth/entities/user.entity.js';
import type { InvitationSchema } from '../../entities/invitation.entity.js';
import type { ZoneSchema } from '../../entities/zone.entity.js';

type Tables = typeof InvitationSchema | typeof ZoneSchema | typeof UserSchema;

/** Which due notifications a job sends: accepted invitations of an owner, or bounced ones of an inviter. */
export type DueNotices = { readonly acceptedForOwner: number } | { readonly undeliverableForInviter: number };

/** The notifications about invitations that were accepted or bounced. Jobs claim them before they send one email. */
@Injectable()
export class InvitationNoticeRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns whether such a notification is due, or was claimed by this job before. */
  async hasNoticeFor(em: EntityManager, due: DueNotices, jobId: number): Promise<boolean> {
    const any = await query<Tables>(em)
      .selectFrom('invitations')
      .select('id')
      .where((where) => where.or([where('notice_job_id', '=', jobId), where('id', 'in', this.dueIds(em, due))]))
      .limit(1)
      .executeTakeFirst();
    return any !== undefined;
  }

  /** Claims the due notifications for a job. */
  async claimNotices(em: EntityManager, due: DueNotices, jobId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('invitations')
      .set({ is_notice_due: false, notice_job_id: jobId })
      .where('id', 'in', this.dueIds(em, due))
      .execute();
  }

  /** Returns the first accepted invitations claimed by the job, with their total. */
  findClaimedAccepted(jobId: number, limit: number) {
    return query<Tables>(this.em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .leftJoin('users as u', 'u.email', 'i.email')
      .select(['i.email as email', 'z.name as zoneName'])
      .select(['u.first_name as firstName', 'u.last_name as lastName'])
      .select(sql<number>`count(*) over ()::int`.as('total'))
      .where('i.notice_job_id', '=', jobId)
      .orderBy('i.id')
      .limit(limit)
      .execute();
  }

  /** Returns the first invitations claimed by the job that are still undeliverable, with their total. */
  findClaimedUndeliverable(jobId: number, limit: number) {
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
      .limit(limit)
      .execute();
  }

  /** Bounces of inviters whose account no longer exists are reported to the zone's owner. */
  private dueIds(em: EntityManager, due: DueNotices) {
    const ids = query<Tables>(em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .select('i.id')
      .where('i.is_notice_due', '=', true);
    if ('acceptedForOwner' in due) {
      return ids.where('i.undeliverable_at', 'is', null).where('z.owner_id', '=', due.acceptedForOwner);
    }
    const inviterId = due.undeliverableForInviter;
    return ids
      .where('i.undeliverable_at', 'is not', null)
      .where((where) =>
        where.or([
          where('i.invited_by_id', '=', inviterId),
          where.and([where('i.invited_by_id', 'is', null), where('z.owner_id', '=', inviterId)]),
        ]),
      );
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { countRows } from '../../../platform/http/lists/list.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { Consent } from '../consent/consent.repository.js';
import type { JoinRequestSchema } from '../entities/join-request.entity.js';
import type { JoinMethod } from '../entities/zone-member.entity.js';

type Tables = typeof JoinRequestSchema | typeof UserSchema;

export interface NewJoinRequest {
  readonly zoneId: number;
  readonly userId: number;
  readonly method: JoinMethod;
  readonly consent: Consent | null;
  /** The temporary link that grants days of membership, or null. */
  readonly link: { readonly id: number; readonly days: number } | null;
  /** A request by a blocked person is declined from the start. */
  readonly isDeclined: boolean;
}

/** Requests to join zones. Of concurrent decisions about a request, one finds it. */
@Injectable()
export class JoinRequestRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Inserts a request. A pending one of the same person keeps its position and gets the new terms; a declined one stays
   * unchanged.
   * @returns whether the request is new
   */
  async upsertRequest(
    em: EntityManager,
    { zoneId, userId, method, consent, link, isDeclined }: NewJoinRequest,
  ): Promise<boolean> {
    const now = this.clock.now();
    const consentFields = { consent_text: consent?.text ?? null, ip_address: consent?.ipAddress ?? null, method };
    const linkFields = { membership_days: link?.days ?? null, link_id: link?.id ?? null };
    const requestFields = { created_at: now, is_notice_due: !isDeclined, declined_at: isDeclined ? now : null };
    const inserted = await query<Tables>(em)
      .insertInto('join_requests')
      .values({ zone_id: zoneId, user_id: userId, ...consentFields, ...linkFields, ...requestFields })
      .onConflict((conflict) =>
        conflict
          .columns(['zone_id', 'user_id'])
          .doUpdateSet({ ...consentFields, ...linkFields })
          .where('join_requests.declined_at', 'is', null),
      )
      .returning(sql<boolean>`xmax = 0`.as('isNew'))
      .executeTakeFirst();
    return inserted?.isNew ?? false;
  }

  /** Returns pending requests, oldest first. */
  listPending(zoneId: number, limit: number, cursor?: string) {
    let rows = query<Tables>(this.em)
      .selectFrom('join_requests as r')
      .innerJoin('users as u', 'u.id', 'r.user_id')
      .select(['r.id as id', 'u.id as userId', 'u.email as email', 'r.created_at as createdAt'])
      .select(['u.first_name as firstName', 'u.last_name as lastName', 'u.username as username'])
      .select(sql<boolean>`r.consent_text is not null`.as('hasConsented'))
      .where('r.zone_id', '=', zoneId)
      .where('r.declined_at', 'is', null)
      .orderBy('r.id')
      .limit(limit);
    if (cursor) rows = rows.where('r.id', '>', decodeCursor(cursor, ['bigint'])[0]);
    return rows.execute();
  }

  countPending(zoneId: number): Promise<number> {
    return countRows(
      query<Tables>(this.em).selectFrom('join_requests').where('zone_id', '=', zoneId).where('declined_at', 'is', null),
    );
  }

  /** @returns the requester; null if the request is not pending */
  async declineRequest(em: EntityManager, zoneId: number, id: number): Promise<number | null> {
    const declined = await query<Tables>(em)
      .updateTable('join_requests')
      .set({ declined_at: this.clock.now() })
      .where('id', '=', id)
      .where('zone_id', '=', zoneId)
      .where('declined_at', 'is', null)
      .returning('user_id as userId')
      .executeTakeFirst();
    return declined?.userId ?? null;
  }

  /** Declines a person's pending request without a notification that is due for it. */
  async declineRequestOf(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('join_requests')
      .set({ declined_at: this.clock.now(), is_notice_due: false })
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where('declined_at', 'is', null)
      .execute();
  }

  /** Deletes a pending request and returns it; null if it is not pending. */
  async deletePendingRequest(em: EntityManager, zoneId: number, id: number) {
    const row = await query<Tables>(em)
      .deleteFrom('join_requests')
      .where('id', '=', id)
      .where('zone_id', '=', zoneId)
      .where('declined_at', 'is', null)
      .returning(['user_id as userId', 'method', 'consent_text as consentText', 'ip_address as ipAddress'])
      .returning(['membership_days as membershipDays', 'link_id as linkId'])
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Deletes requests of people who are added without them, pending or declined. Must be called before memberships are
   * written, because approvals lock the request first.
   */
  async deleteRequests(em: EntityManager, zoneId: number, userIds: readonly number[]): Promise<void> {
    await sql`
      delete from join_requests where id in (
        select id from join_requests where zone_id = ${zoneId} and user_id = any(${[...userIds]}::bigint[])
        order by id for update
      )`.execute(query<Tables>(em));
  }

  /** Deletes the person's request if it was declined until `before`. */
  async deleteDeclinedRequest(em: EntityManager, zoneId: number, userId: number, before: Date): Promise<void> {
    await query<Tables>(em)
      .deleteFrom('join_requests')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where('declined_at', '<=', before)
      .execute();
  }

  /**
   * Deletes up to `limit` requests that were declined until `before`, except those of blocked people.
   * @returns how many
   */
  async deleteDeclinedRequests(before: Date, limit: number): Promise<number> {
    const { rows } = await sql`
      delete from join_requests where id in (
        select r.id from join_requests r where r.declined_at <= ${before}
          and not exists (select from zone_blocks b where b.zone_id = r.zone_id and b.user_id = r.user_id)
        order by r.id limit ${limit} for update of r skip locked
      ) returning id`.execute(query<Tables>(this.em));
    return rows.length;
  }

  /** Returns whether a notification about requests of the zone is due, or was claimed by this job. */
  async hasNoticeFor(em: EntityManager, zoneId: number, jobId: number): Promise<boolean> {
    const due = await query<Tables>(em)
      .selectFrom('join_requests')
      .select('id')
      .where('zone_id', '=', zoneId)
      .where((where) => where.or([where('notice_job_id', '=', jobId), where('is_notice_due', '=', true)]))
      .limit(1)
      .executeTakeFirst();
    return due !== undefined;
  }

  /** Claims the due notifications of a zone for a job. */
  async claimNotices(em: EntityManager, zoneId: number, jobId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('join_requests')
      .set({ is_notice_due: false, notice_job_id: jobId })
      .where('zone_id', '=', zoneId)
      .where('is_notice_due', '=', true)
      .execute();
  }

  /**
   * Returns the first requests claimed by the job that are still pending, with their total. Requests approved, declined
   * or blocked in the meantime are left out.
   */
  findClaimed(jobId: number, limit: number) {
    return query<Tables>(this.em)
      .selectFrom('join_requests as r')
      .innerJoin('users as u', 'u.id', 'r.user_id')
      .select(['u.email as email', 'u.first_name as firstName', 'u.last_name as lastName'])
      .select(sql<number>`count(*) over ()::int`.as('total'))
      .where('r.notice_job_id', '=', jobId)
      .where('r.declined_at', 'is', null)
      .orderBy('r.id')
      .limit(limit)
      .execute();
  }
}

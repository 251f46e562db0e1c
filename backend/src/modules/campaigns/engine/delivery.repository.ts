import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { BounceCause } from '../../../platform/email/outcome/send-outcome.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import { hasEmailConsentSql, isActiveMemberSql, isInAudienceSql, isReachableSql } from '../audience/recipient.sql.js';
import type { CampaignSchema, TargetAudience } from '../entities/campaign.entity.js';
import type { DeliverySchema, DeliveryWorkerSchema } from '../entities/delivery.entity.js';
import {
  failureWindowColumnsSql,
  incrementsSql,
  isCompleteSql,
  isRecipientProblemSql,
  lockedCampaignSql,
} from '../shared/campaign.sql.js';
import type { CampaignCounts, ClaimedDelivery, DeliveryResult } from './delivery.policy.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema | typeof DeliveryWorkerSchema | typeof UserSchema;

/** A due delivery. If it is no longer wanted, the person may not exist any more. */
export interface DueDelivery extends ClaimedDelivery {
  readonly ownerId: number;
  readonly isStillWanted: boolean;
}

/** Emails to be sent again, by their previous result. */
export interface RequeuedCounts {
  readonly failed: number;
  readonly kept: number;
}

/** Rows deleted per statement. */
const DELETE_BATCH_SIZE = 10_000;

/**
 * The deliveries of campaigns, and the workers that send them. A worker keeps what it claimed as long as it sends
 * heartbeats. This is measured in database time, which all workers share. Deliveries are locked in id order, after
 * their campaign.
 */
@Injectable()
export class DeliveryRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async recordHeartbeat(workerId: string): Promise<void> {
    await sql`
      insert into delivery_workers (id, seen_at) values (${workerId}::uuid, now())
      on conflict (id) do update set seen_at = now()`.execute(this.db());
  }

  /**
   * Requeues the deliveries of workers whose lease has expired, and returns the campaigns with due emails, oldest first.
   * @param leaseDuration in milliseconds
   */
  async findDueCampaigns(leaseDuration: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      with expired_workers as materialized (
        select id from delivery_workers
        where seen_at < now() - ${leaseDuration} * interval '1 millisecond' for update skip locked
      ), held as materialized (
        select d.id from deliveries d join expired_workers on expired_workers.id = d.worker_id
        where d.state = 'sending' order by d.id for no key update of d
      ), requeued as (
        update deliveries set state = 'queued', worker_id = null from held
        where deliveries.id = held.id and deliveries.state = 'sending' returning deliveries.campaign_id
      ), deleted as (
        delete from delivery_workers using expired_workers where delivery_workers.id = expired_workers.id
      ), sending as (
        select c.id from campaigns c join users o on o.id = c.sent_by_id
        where c.status = 'sending' and o.deactivated_at is null
      )
      select id from sending where exists (
        select from deliveries d
        where d.campaign_id = sending.id and d.state = 'queued' and d.run_at <= ${this.clock.databaseNow()})
      union
      select id from sending where id in (select campaign_id from requeued)
      order by id`.execute(this.db());
    return rows.map(({ id }) => id);
  }

  /** Releases unsent deliveries of a stopping worker and removes its registration. */
  async unregisterWorker(workerId: string, unsent: readonly number[]): Promise<void> {
    await this.releaseClaims(unsent);
    await sql`
      delete from delivery_workers where id = ${workerId}::uuid
      and not exists (select from deliveries where worker_id = ${workerId}::uuid and state = 'sending')`.execute(
      this.db(),
    );
  }

  /** Requeues claimed deliveries that were not started. */
  async releaseClaims(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await sql`
      with held as materialized (
        select id from deliveries where id = any(${[...ids]}::bigint[]) and state = 'sending'
        order by id for no key update
      )
      update deliveries set state = 'queued', worker_id = null, attempts = attempts - 1 from held
      where deliveries.id = held.id and deliveries.state = 'sending'`.execute(this.db());
  }

  /**
   * Locks up to `limit` due deliveries of a campaign, except those that another worker has locked. Recipients are checked
   * again: those who left the zone or withdrew consent no longer want the email.
   */
  async lockDue(em: EntityManager, campaignId: number, limit: number): Promise<DueDelivery[]> {
    const now = this.clock.now();
    const { rows } = await sql<DueDelivery>`
      with due as materialized (
        select d.id, d.user_id, d.attempts from deliveries d
        where d.campaign_id = ${campaignId} and d.state = 'queued' and d.run_at <= ${this.clock.databaseNow()}
        order by d.run_at, d.id limit ${limit} for no key update skip locked
      )
      select due.id, c.id as "campaignId", due.attempts + 1 as attempt, c.sent_by_id as "ownerId", u.id as "userId", u.email, u.language,
        u.first_name as "firstName", u.last_name as "lastName",
        (m.id is not null and z.deleted_at is null and ${isActiveMemberSql(now)} and ${isReachableSql} and ${hasEmailConsentSql}) is true
          as "isStillWanted"
      from due join campaigns c on c.id = ${campaignId} and c.status = 'sending'
        join zones z on z.id = c.zone_id
        left join users u on u.id = due.user_id
        left join zone_members m on m.zone_id = c.zone_id and m.user_id = due.user_id
      order by due.id`.execute(query<Tables>(em));
    return rows;
  }

  /** Assigns locked deliveries to a worker, which makes an attempt of each. */
  async assignToWorker(em: EntityManager, ids: readonly number[], workerId: string): Promise<void> {
    await sql`
      update deliveries set state = 'sending', worker_id = ${workerId}::uuid, attempts = attempts + 1
      where id = any(${[...ids]}::bigint[])`.execute(query<Tables>(em));
  }

  /**
   * Skips deliveries of a locked campaign whose recipients no longer want the email.
   * @returns how many were still queued
   */
  async skipQueued(em: EntityManager, ids: readonly number[]): Promise<number> {
    const skipped = await sql`
      with open as materialized (
        select id from deliveries where id = any(${[...ids]}::bigint[]) and state = 'queued'
        order by id for no key update
      )
      update deliveries d set state = 'skipped', reason = 'NOT_WANTED' from open
      where d.id = open.id and d.state = 'queued'`.execute(query<Tables>(em));
    return Number(skipped.numAffectedRows ?? 0n);
  }

  /**
   * Records results of a campaign and updates its counters in one statement, which locks the campaign and then the
   * deliveries. A result counts even if the lease has passed to another worker; the first result recorded wins.
   * @returns null if the campaign no longer exists
   */
  async recordResults(campaignId: number, results: readonly DeliveryResult[]): Promise<CampaignCounts | null> {
    const now = this.clock.now();
    const { rows } = await sql<CampaignCounts>`
      with campaign as materialized (${lockedCampaignSql(campaignId)}), result as (
        select * from unnest(
          ${results.map(({ id }) => id)}::bigint[], ${results.map(({ state }) => state)}::text[],
          ${results.map(({ smtpCode }) => smtpCode)}::smallint[], ${results.map(({ reason }) => reason)}::text[],
          ${results.map(({ runAt }) => runAt.toISOString())}::timestamptz[], ${results.map(({ bounceCause }) => bounceCause)}::text[]
        ) as r(id, state, smtp_code, reason, run_at, fault)
      ), held as materialized (
        select d.id from campaign cross join deliveries d
        where d.id = any(${results.map(({ id }) => id)}::bigint[]) order by d.id for no key update of d
      ), written as (
        update deliveries d set state = r.state, smtp_code = r.smtp_code, reason = r.reason, fault = r.fault,
          failed_at = case when r.state = 'failed' then ${now}::timestamptz end,
          run_at = ${this.clock.databaseNow()} + (r.run_at - ${now}::timestamptz),
          worker_id = null, sent_at = case when r.state = 'delivered' then ${now}::timestamptz end
        from result r join held using (id) where d.id = r.id and d.state in ('sending', 'queued')
        returning d.state, d.fault
      ), counted as (
        select count(*) filter (where state = 'delivered') as delivered,
          count(*) filter (where state = 'kept') as kept,
          count(*) filter (where state = 'failed') as failed,
          count(*) filter (where fault = 'sender') as sender_fault,
          count(*) filter (where fault = 'reader') as reader_fault from written
      )
      update campaigns c set ${incrementsSql({
        delivered: sql`n.delivered`,
        kept: sql`n.kept`,
        failed: sql`n.failed`,
        sender_fault: sql`n.sender_fault`,
        reader_fault: sql`n.reader_fault`,
      })}
      from counted n where c.id = ${campaignId}
      returning c.id, ${isCompleteSql} as "isDone", ${failureWindowColumnsSql}`.execute(this.db());
    return rows[0] ?? null;
  }

  /**
   * Inserts one delivery per recipient of a campaign, with a single statement. It locks the user rows like the foreign
   * key check would, so that a person who is erased concurrently is left out rather than causing a foreign key
   * violation. A deleted zone has no recipients.
   * @param suppressed result of a recent `findSuppressedMemberIds`; newer suppressions are skipped when the delivery is
   * claimed
   * @returns the number of deliveries
   */
  insertDeliveries(
    em: EntityManager,
    campaign: { id: number; zoneId: number; targetAudience: TargetAudience },
    suppressed: number[],
  ): Promise<number> {
    const isTargeted = isInAudienceSql(campaign.targetAudience, this.clock.now());
    return this.insertWhere(em, campaign, sql`${isTargeted} and m.user_id <> all(${suppressed}::bigint[])`);
  }

  /**
   * Like `insertDeliveries` for some members, each only once.
   * @returns the number of inserted deliveries
   */
  insertDeliveriesTo(
    em: EntityManager,
    campaign: { id: number; zoneId: number },
    userIds: readonly number[],
  ): Promise<number> {
    return this.insertWhere(em, campaign, sql`m.user_id = any(${[...userIds]}::bigint[])`);
  }

  /**
   * Cancels the deliveries of a locked campaign that are not in progress.
   * @returns how many
   */
  async cancelQueued(em: EntityManager, campaignId: number): Promise<number> {
    const cancelled = await sql`
      with open as materialized (
        select id from deliveries where campaign_id = ${campaignId} and state = 'queued' order by id for no key update
      )
      update deliveries d set state = 'cancelled' from open where d.id = open.id and d.state = 'queued'`.execute(
      query<Tables>(em),
    );
    return Number(cancelled.numAffectedRows ?? 0n);
  }

  /** Queues failed and kept deliveries of a locked campaign again. */
  async requeueUnsent(em: EntityManager, campaignId: number): Promise<RequeuedCounts> {
    const { rows } = await sql<RequeuedCounts>`
      with ended as materialized (
        select id, state from deliveries where campaign_id = ${campaignId} and state in ('failed', 'kept')
        order by id for no key update
      ), again as (
        update deliveries d set state = 'queued', attempts = 0, run_at = ${this.clock.databaseNow()}, smtp_code = null,
          reason = null, fault = null, failed_at = null
        from ended where d.id = ended.id and d.state = ended.state returning ended.state
      )
      select count(*) filter (where state = 'failed')::int as failed, count(*) filter (where state = 'kept')::int as kept
      from again`.execute(query<Tables>(em));
    return rows[0]!;
  }

  /** Returns the delivery if the address belongs to its recipient, and it was sent after `sentAfter` or not yet. */
  async findReported(deliveryId: number, email: string, sentAfter: Date) {
    const row = await query<Tables>(this.em)
      .selectFrom('deliveries as d')
      .innerJoin('campaigns as c', 'c.id', 'd.campaign_id')
      .innerJoin('users as u', 'u.id', 'd.user_id')
      .select(['d.id as id', 'c.id as campaignId', 'c.zone_id as zoneId', 'c.sent_by_id as ownerId', 'u.id as userId'])
      .where('d.id', '=', deliveryId)
      .where('u.email', '=', email)
      .where((where) => where.or([where('d.sent_at', 'is', null), where('d.sent_at', '>', sentAfter)]))
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Marks a delivered email of a locked campaign as failed.
   * @returns false if it wasn't delivered
   */
  async failDelivered(
    em: EntityManager,
    id: number,
    { smtpCode, reason, bounceCause }: { smtpCode: number; reason: string; bounceCause: BounceCause | null },
  ): Promise<boolean> {
    const changed = await sql`
      update deliveries set state = 'failed', smtp_code = ${smtpCode}, reason = ${reason}, fault = ${bounceCause},
        failed_at = ${this.clock.now()}
      where id = ${id} and state = 'delivered'`.execute(query<Tables>(em));
    return Boolean(changed.numAffectedRows);
  }

  /**
   * Returns the addresses that failed because of the recipient in this campaign and in enough of the owner's, with when.
   * A delivered email since then resets the count.
   * @param threshold number of campaigns
   */
  async findRepeatedFailures(
    em: EntityManager,
    { campaignId, ownerId }: { campaignId: number; ownerId: number },
    threshold: number,
  ): Promise<{ email: string; failedAt: Date[] }[]> {
    const { rows } = await sql<{ email: string; failedAt: Date[] }>`
      with failed as (
        select d.user_id, d.campaign_id, max(coalesce(d.failed_at, c.started_at)) as at
        from deliveries d join campaigns c on c.id = d.campaign_id
        where c.sent_by_id = ${ownerId} and ${isRecipientProblemSql} and d.state = 'failed' and d.fault = 'reader' and d.user_id in (
          select user_id from deliveries where campaign_id = ${campaignId} and state = 'failed' and fault = 'reader')
        group by 1, 2
      ), since as (
        select f.* from failed f where not exists (
          select from deliveries s join campaigns c on c.id = s.campaign_id
          where c.sent_by_id = ${ownerId} and s.user_id = f.user_id and s.state = 'delivered' and s.sent_at > f.at)
      )
      select u.email, array_agg(s.at) as "failedAt" from since s join users u on u.id = s.user_id
      group by u.id, u.email having count(*) >= ${threshold}`.execute(query<Tables>(em));
    return rows;
  }

  /** Returns whether an email of a zone's campaigns is in progress. */
  async hasSending(zoneId: number): Promise<boolean> {
    const { rows } = await sql`
      select d.id from deliveries d join campaigns c on c.id = d.campaign_id
      where c.zone_id = ${zoneId} and d.state = 'sending' limit 1`.execute(this.db());
    return rows.length > 0;
  }

  /** Deletes the deliveries of a campaign in batches. */
  async deleteDeliveries(campaignId: number): Promise<void> {
    for (;;) {
      const removed = await sql`
        delete from deliveries where id in (
          select id from deliveries where campaign_id = ${campaignId} order by id limit ${DELETE_BATCH_SIZE} for update)`.execute(
        this.db(),
      );
      if (Number(removed.numAffectedRows ?? 0n) < DELETE_BATCH_SIZE) return;
    }
  }

  private async insertWhere(
    em: EntityManager,
    campaign: { id: number; zoneId: number },
    recipientFilter: RawBuilder<unknown>,
  ): Promise<number> {
    const result = await sql`
      insert into deliveries (campaign_id, user_id, run_at)
      select ${campaign.id}::bigint, m.user_id, ${this.clock.databaseNow()}
      from zone_members m join users u on u.id = m.user_id join zones z on z.id = m.zone_id
      where m.zone_id = ${campaign.zoneId} and z.deleted_at is null
        and ${isActiveMemberSql(this.clock.now())} and ${isReachableSql} and ${hasEmailConsentSql} and ${recipientFilter}
      order by m.id for key share of u
      on conflict (campaign_id, user_id) do nothing`.execute(query<Tables>(em));
    return Number(result.numAffectedRows ?? 0n);
  }

  private db() {
    return query<Tables>(this.em.fork());
  }
}

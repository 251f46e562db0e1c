import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { BounceCause } from '../../../platform/email/outcome/send-outcome.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { SuppressionRepository } from '../../zones/leaving/suppression.repository.js';
import { CampaignSchema } from '../entities/campaign.entity.js';
import { DeliverySchema, DeliveryWorkerSchema } from '../entities/delivery.entity.js';
import { isActiveMember, isReachable, hasEmailConsent } from '../audience/recipient.service.js';
import type { Recipient } from '../rendering/campaign-renderer.service.js';
import {
  incrementAssignments,
  incrementCounts,
  isComplete,
  lockCampaign,
  lockedCampaignQuery,
  detectDeliveryProblem,
  failureWindowColumns,
  type FailureWindow,
} from '../shared/campaign-counters.js';
import { DeliveryConfig } from './send-rate-limiter.service.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema | typeof DeliveryWorkerSchema | typeof UserSchema;

/** A delivery that this worker must send. */
export interface ClaimedDelivery extends Recipient {
  readonly id: number;
  readonly campaignId: number;
  readonly attempt: number;
}

/** A due delivery. If it is no longer wanted, the person may not exist any more. */
interface DueDelivery extends ClaimedDelivery {
  readonly ownerId: number;
  readonly isStillWanted: boolean;
}

export interface Claim {
  readonly toSend: ClaimedDelivery[];
  /** Number of rows found: fewer than requested means nothing more is due. */
  readonly seen: number;
}

/** Result of an attempt; `queued` means it will be retried at `runAt`. */
export interface DeliveryResult {
  readonly id: number;
  readonly campaignId: number;
  readonly state: 'delivered' | 'kept' | 'failed' | 'queued';
  readonly smtpCode: number | null;
  readonly reason: string | null;
  /** Whether the recipient's address or the sender is the cause; null if unknown or successful. */
  readonly fault: BounceCause | null;
  readonly runAt: Date;
}

/** State of a campaign after results were recorded. */
export interface CampaignCounts {
  readonly id: number;
  readonly isDone: boolean;
  /** Too many emails were rejected; the campaign must be paused. */
  readonly isInTrouble: boolean;
}

/**
 * Manages the states of deliveries in the database, with one statement per change. A worker keeps what it claimed as
 * long as it sends heartbeats. This is measured in database time, which all workers share.
 */
@Injectable()
export class DeliveryRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly deliveryConfig: DeliveryConfig,
    private readonly suppressions: SuppressionRepository,
  ) {}

  async recordHeartbeat(workerId: string): Promise<void> {
    await sql`
      insert into delivery_workers (id, seen_at) values (${workerId}::uuid, now())
      on conflict (id) do update set seen_at = now()`.execute(this.db());
  }

  /**
   * Requeues deliveries of workers whose lease has expired.
   * @returns the number of deliveries
   */
  async releaseExpiredLeases(): Promise<number> {
    const result = await sql`
      with expired_workers as materialized (
        select id from delivery_workers
        where seen_at < now() - ${this.deliveryConfig.leaseDuration} * interval '1 millisecond' for update skip locked
      ), held as materialized (
        select d.id from deliveries d join expired_workers on expired_workers.id = d.worker_id
        where d.state = 'sending' order by d.id for no key update of d
      ), requeued as (
        update deliveries set state = 'queued', worker_id = null from held
        where deliveries.id = held.id and deliveries.state = 'sending' returning deliveries.id
      ), deleted as (
        delete from delivery_workers using expired_workers where delivery_workers.id = expired_workers.id
      )
      select count(*)::int as count from requeued`.execute(this.db());
    return (result.rows[0] as { count: number }).count;
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

  /** Returns the campaigns with due emails, oldest first. */
  async findDueCampaigns(): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select c.id from campaigns c join users o on o.id = c.sent_by_id
      where c.status = 'sending' and o.deactivated_at is null and exists (
        select from deliveries d where d.campaign_id = c.id and d.state = 'queued' and d.run_at <= ${this.clock.databaseNow()})
      order by c.id`.execute(this.db());
    return rows.map(({ id }) => id);
  }

  /**
   * Claims up to `limit` due deliveries of a campaign; no two workers get the same one. Recipients are checked again:
   * those who left the zone, withdrew consent or are suppressed are counted as skipped.
   */
  async claimDeliveries(campaignId: number, workerId: string, limit: number): Promise<Claim> {
    const { due, open } = await inTransaction(this.em.fork(), async (em) => {
      const due = await this.selectDue(em, campaignId, limit);
      if (due.length === 0) return { due, open: due };
      const ownerId = due[0]!.ownerId;
      const emails = due.filter(({ isStillWanted }) => isStillWanted).map(({ email }) => email);
      const suppressed = await this.suppressions.findSuppressed(em, ownerId, emails);
      const open = due.filter((row) => row.isStillWanted && !suppressed.has(row.email));
      if (open.length > 0) {
        await sql`
          update deliveries set state = 'sending', worker_id = ${workerId}::uuid, attempts = attempts + 1
          where id = any(${open.map(({ id }) => id)}::bigint[])`.execute(query<Tables>(em));
      }
      return { due, open };
    });
    const taken = new Set(open);
    const unwanted = due.filter((row) => !taken.has(row));
    await this.skipUnwanted(campaignId, unwanted);
    return { toSend: open, seen: due.length };
  }

  /**
   * Records results of a campaign and updates its counters in one statement, which locks the campaign and then the
   * deliveries. A result counts even if the lease has passed to another worker; the first result recorded wins.
   */
  async recordResults(campaignId: number, results: readonly DeliveryResult[]): Promise<CampaignCounts> {
    const now = this.clock.now();
    const { rows } = await sql<{ id: number; isDone: boolean } & FailureWindow>`
      with campaign as materialized (${lockedCampaignQuery(campaignId)}), result as (
        select * from unnest(
          ${results.map(({ id }) => id)}::bigint[], ${results.map(({ state }) => state)}::text[],
          ${results.map(({ smtpCode }) => smtpCode)}::smallint[], ${results.map(({ reason }) => reason)}::text[],
          ${results.map(({ runAt }) => runAt.toISOString())}::timestamptz[], ${results.map(({ fault }) => fault)}::text[]
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
      update campaigns c set ${incrementAssignments({
        delivered: sql`n.delivered`,
        kept: sql`n.kept`,
        failed: sql`n.failed`,
        sender_fault: sql`n.sender_fault`,
        reader_fault: sql`n.reader_fault`,
      })}
      from counted n where c.id = ${campaignId}
      returning c.id, ${isComplete} as "isDone", ${failureWindowColumns}`.execute(this.db());
    const [row] = rows;
    if (!row) return { id: campaignId, isDone: false, isInTrouble: false };
    return { id: row.id, isDone: row.isDone, isInTrouble: detectDeliveryProblem(row) !== null };
  }

  private async selectDue(em: EntityManager, campaignId: number, limit: number): Promise<DueDelivery[]> {
    const now = this.clock.now();
    const { rows } = await sql<DueDelivery>`
      with due as materialized (
        select d.id, d.user_id, d.attempts from deliveries d
        where d.campaign_id = ${campaignId} and d.state = 'queued' and d.run_at <= ${this.clock.databaseNow()}
        order by d.run_at, d.id limit ${limit} for no key update skip locked
      )
      select due.id, c.id as "campaignId", due.attempts + 1 as attempt, c.sent_by_id as "ownerId", u.id as "userId", u.email, u.language,
        u.first_name as "firstName", u.last_name as "lastName",
        (m.id is not null and z.deleted_at is null and ${isActiveMember(now)} and ${isReachable} and ${hasEmailConsent}) is true
          as "isStillWanted"
      from due join campaigns c on c.id = ${campaignId} and c.status = 'sending'
        join zones z on z.id = c.zone_id
        left join users u on u.id = due.user_id
        left join zone_members m on m.zone_id = c.zone_id and m.user_id = due.user_id
      order by due.id`.execute(query<Tables>(em));
    return rows;
  }

  /**
   * Separate from the claim, which already holds locks on deliveries: here the campaign is locked first, as everywhere.
   */
  private async skipUnwanted(campaignId: number, rows: readonly DueDelivery[]): Promise<void> {
    if (rows.length === 0) return;
    await inTransaction(this.em.fork(), async (em) => {
      await lockCampaign(em, campaignId);
      const skipped = await sql`
        with open as materialized (
          select id from deliveries where id = any(${rows.map(({ id }) => id)}::bigint[]) and state = 'queued'
          order by id for no key update
        )
        update deliveries d set state = 'skipped', reason = 'NOT_WANTED' from open
        where d.id = open.id and d.state = 'queued'`.execute(query<Tables>(em));
      await incrementCounts(em, campaignId, { skipped: Number(skipped.numAffectedRows ?? 0n) });
    });
  }

  private db() {
    return query<Tables>(this.em.fork());
  }
}

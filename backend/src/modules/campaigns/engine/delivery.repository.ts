import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { BounceCause } from '../../../platform/email/outcome/send-outcome.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { SuppressionService } from '../../zones/leaving/suppression.service.js';
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

/** A mail that this worker is to send. */
export interface ClaimedDelivery extends Recipient {
  readonly id: number;
  readonly campaignId: number;
  readonly attempt: number;
}

/** One that is due; of those that are not wanted any more the person may be gone. */
interface DueDelivery extends ClaimedDelivery {
  readonly ownerId: number;
  readonly isStillWanted: boolean;
}

export interface Claim {
  readonly toSend: ClaimedDelivery[];
  /** How many rows were looked at: fewer than asked for means that nothing more is due. */
  readonly seen: number;
}

/** How a try ended: `queued` is to be tried again at `runAt`. */
export interface DeliveryResult {
  readonly id: number;
  readonly campaignId: number;
  readonly state: 'delivered' | 'kept' | 'failed' | 'queued';
  readonly smtpCode: number | null;
  readonly reason: string | null;
  /** Whether the reader's address is why, or the sending; null where nothing is known, or nothing was wrong. */
  readonly fault: BounceCause | null;
  readonly runAt: Date;
}

/** Where a campaign stands after results were written. */
export interface CampaignCounts {
  readonly id: number;
  readonly isDone: boolean;
  /** Too many were refused: it is to pause. */
  readonly isInTrouble: boolean;
}

/**
 * The states of deliveries in the database, each change one statement. A worker holds what it claimed as long as it is
 * seen; that is measured by the clock of the database, which all workers share.
 */
@Injectable()
export class DeliveryRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly deliveryConfig: DeliveryConfig,
    private readonly suppressions: SuppressionService,
  ) {}

  /** Says that the worker lives. */
  async recordHeartbeat(workerId: string): Promise<void> {
    await sql`
      insert into delivery_workers (id, seen_at) values (${workerId}::uuid, now())
      on conflict (id) do update set seen_at = now()`.execute(this.db());
  }

  /** Takes back what workers hold that have not been seen for the time of a lease. @returns how many deliveries */
  async releaseExpiredLeases(): Promise<number> {
    const result = await sql`
      with gone as materialized (
        select id from delivery_workers
        where seen_at < now() - ${this.deliveryConfig.leaseDuration} * interval '1 millisecond' for update skip locked
      ), held as materialized (
        select d.id from deliveries d join gone on gone.id = d.worker_id
        where d.state = 'sending' order by d.id for no key update of d
      ), back as (
        update deliveries set state = 'queued', worker_id = null from held
        where deliveries.id = held.id and deliveries.state = 'sending' returning deliveries.id
      ), forgotten as (
        delete from delivery_workers using gone where delivery_workers.id = gone.id
      )
      select count(*)::int as count from back`.execute(this.db());
    return (result.rows[0] as { count: number }).count;
  }

  /** Gives back what a stopping worker claimed and did not begin, and says good-bye. */
  async unregisterWorker(workerId: string, unsent: readonly number[]): Promise<void> {
    await this.releaseClaims(unsent);
    await sql`
      delete from delivery_workers where id = ${workerId}::uuid
      and not exists (select from deliveries where worker_id = ${workerId}::uuid and state = 'sending')`.execute(
      this.db(),
    );
  }

  /** Puts claimed deliveries back that were not begun. */
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

  /** Campaigns with mails due now, the longest under way first. */
  async findDueCampaigns(): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select c.id from campaigns c join users o on o.id = c.sent_by_id
      where c.status = 'sending' and o.deactivated_at is null and exists (
        select from deliveries d where d.campaign_id = c.id and d.state = 'queued' and d.run_at <= ${this.clock.databaseNow()})
      order by c.id`.execute(this.db());
    return rows.map(({ id }) => id);
  }

  /**
   * Takes up to `limit` due deliveries of a campaign; no two workers are given the same one. Each recipient is judged
   * again: who has left the zone, took back the consent or gets no mails any more is skipped and counted so.
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
   * Writes results of one campaign and adds them to its counts, in one statement, which locks the campaign and then the
   * deliveries. A result counts even when the lease has passed to another worker meanwhile; the first one written stands.
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
        ...{ delivered: sql`n.delivered`, kept: sql`n.kept`, failed: sql`n.failed` },
        ...{ sender_fault: sql`n.sender_fault`, reader_fault: sql`n.reader_fault` },
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

  /** Apart from the claim, which holds deliveries already: here the campaign is locked first, as everywhere. */
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

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { SuppressionService } from '../../zones/suppression.service.js';
import { CampaignSchema } from '../entities/campaign.entity.js';
import { DeliverySchema } from '../entities/delivery.entity.js';
import { DeliveryWorkerSchema } from '../entities/delivery-worker.entity.js';
import { isMember, isReachable, wantsMails } from '../recipients.js';
import type { Recipient } from '../rendering/campaign-mail.service.js';
import { DeliveryTimings } from './delivery-timings.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema | typeof DeliveryWorkerSchema | typeof UserSchema;

/** A mail that this worker is to send. */
export interface ClaimedDelivery extends Recipient {
  readonly id: number;
  readonly campaignId: number;
  readonly attempt: number;
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
  readonly state: 'delivered' | 'failed' | 'queued';
  readonly smtpCode: number | null;
  readonly reason: string | null;
  readonly runAt: Date;
}

/** Where a campaign stands after results were written. */
export interface CampaignCounts {
  readonly id: number;
  readonly isDone: boolean;
}

/**
 * The states of deliveries in the database, each change one statement. A worker holds what it claimed as long as it is
 * seen; that is measured by the clock of the database, which all workers share.
 */
@Injectable()
export class DeliveryStore {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly timings: DeliveryTimings,
    private readonly suppressions: SuppressionService,
  ) {}

  /** Says that the worker lives. */
  async beat(workerId: string): Promise<void> {
    await sql`
      insert into delivery_workers (id, seen_at) values (${workerId}::uuid, now())
      on conflict (id) do update set seen_at = now()`.execute(this.db());
  }

  /** Takes back what workers hold that have not been seen for the time of a lease. @returns how many deliveries */
  async sweep(): Promise<number> {
    const result = await sql`
      with gone as materialized (
        select id from delivery_workers
        where seen_at < now() - ${this.timings.lease} * interval '1 millisecond' for update skip locked
      ), back as (
        update deliveries set state = 'queued', worker_id = null from gone
        where deliveries.worker_id = gone.id and deliveries.state = 'sending' returning deliveries.id
      ), forgotten as (
        delete from delivery_workers using gone where delivery_workers.id = gone.id
      )
      select count(*)::int as count from back`.execute(this.db());
    return (result.rows[0] as { count: number }).count;
  }

  /** Gives back what a stopping worker claimed and did not begin, and says good-bye. */
  async leave(workerId: string, unsent: readonly number[]): Promise<void> {
    await this.giveBack(unsent);
    await sql`
      delete from delivery_workers where id = ${workerId}::uuid
      and not exists (select from deliveries where worker_id = ${workerId}::uuid and state = 'sending')`.execute(
      this.db(),
    );
  }

  /** Puts claimed deliveries back that were not begun. */
  async giveBack(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await sql`
      update deliveries set state = 'queued', worker_id = null, attempts = attempts - 1
      where id = any(${[...ids]}::bigint[]) and state = 'sending'`.execute(this.db());
  }

  /** Campaigns with mails due now, the longest under way first. */
  async campaignsDue(): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select c.id from campaigns c join users o on o.id = c.sent_by_id
      where c.status = 'sending' and o.deactivated_at is null and exists (
        select from deliveries d where d.campaign_id = c.id and d.state = 'queued' and d.run_at <= ${this.clock.now()})
      order by c.id`.execute(this.db());
    return rows.map(({ id }) => id);
  }

  /**
   * Takes up to `limit` due deliveries of a campaign; no two workers are given the same one. Each recipient is judged
   * again: who has left the zone, took back the consent or gets no mails any more is skipped and counted so.
   */
  claim(campaignId: number, workerId: string, limit: number): Promise<Claim> {
    return inTransaction(this.em.fork(), async (em) => {
      const due = await this.due(em, campaignId, limit);
      if (due.length === 0) return { toSend: [], seen: 0 };
      const ownerId = due[0]!.ownerId;
      const emails = due.filter(({ isWanted }) => isWanted).map(({ email }) => email!);
      const suppressed = await this.suppressions.suppressed(em, ownerId, emails);
      const isOpen = (row: DueRow) => row.isWanted && !suppressed.has(row.email!);
      const open = due.filter(isOpen);
      await this.skip(
        em,
        campaignId,
        due.filter((row) => !isOpen(row)),
      );
      if (open.length > 0) {
        await sql`
          update deliveries set state = 'sending', worker_id = ${workerId}::uuid, attempts = attempts + 1
          where id = any(${open.map(({ id }) => id)}::bigint[])`.execute(query<Tables>(em));
      }
      return { toSend: open.map((row) => toClaimed(row, campaignId)), seen: due.length };
    });
  }

  /**
   * Writes results of one campaign and adds them to its counts, in one statement. A result counts even when the lease
   * has passed to another worker meanwhile; the first one written stands.
   */
  async record(campaignId: number, results: readonly DeliveryResult[]): Promise<CampaignCounts> {
    const now = this.clock.now();
    const { rows } = await sql<CampaignCounts>`
      with result as (
        select * from unnest(
          ${results.map(({ id }) => id)}::bigint[], ${results.map(({ state }) => state)}::text[],
          ${results.map(({ smtpCode }) => smtpCode)}::smallint[], ${results.map(({ reason }) => reason)}::text[],
          ${results.map(({ runAt }) => runAt.toISOString())}::timestamptz[]
        ) as r(id, state, smtp_code, reason, run_at)
      ), written as (
        update deliveries d set state = r.state, smtp_code = r.smtp_code, reason = r.reason, run_at = r.run_at,
          worker_id = null, sent_at = case when r.state = 'delivered' then ${now}::timestamptz end
        from result r where d.id = r.id and d.state in ('sending', 'queued')
        returning d.state
      ), counted as (
        select count(*) filter (where state = 'delivered') as delivered,
          count(*) filter (where state = 'failed') as failed from written
      )
      update campaigns c set delivered_count = c.delivered_count + n.delivered, failed_count = c.failed_count + n.failed
      from counted n where c.id = ${campaignId}
      returning c.id, c.recipient_count = c.delivered_count + c.failed_count + c.skipped_count + c.cancelled_count
        as "isDone"`.execute(this.db());
    return rows[0] ?? { id: campaignId, isDone: false };
  }

  private async due(em: EntityManager, campaignId: number, limit: number): Promise<DueRow[]> {
    const now = this.clock.now();
    const { rows } = await sql<DueRow>`
      with due as materialized (
        select d.id, d.user_id, d.attempts from deliveries d
        where d.campaign_id = ${campaignId} and d.state = 'queued' and d.run_at <= ${now}
        order by d.run_at, d.id limit ${limit} for no key update skip locked
      )
      select due.id, due.attempts, c.sent_by_id as "ownerId", u.id as "userId", u.email, u.language,
        u.first_name as "firstName", u.last_name as "lastName",
        (m.id is not null and z.deleted_at is null and ${isMember(now)} and ${isReachable} and ${wantsMails}) is true
          as "isWanted"
      from due join campaigns c on c.id = ${campaignId} and c.status = 'sending'
        join zones z on z.id = c.zone_id
        left join users u on u.id = due.user_id
        left join zone_members m on m.zone_id = c.zone_id and m.user_id = due.user_id
      order by due.id`.execute(query<Tables>(em));
    return rows;
  }

  private async skip(em: EntityManager, campaignId: number, rows: readonly DueRow[]): Promise<void> {
    if (rows.length === 0) return;
    await sql`
      with skipped as (
        update deliveries set state = 'skipped', reason = 'NOT_WANTED'
        where id = any(${rows.map(({ id }) => id)}::bigint[]) and state = 'queued' returning id
      )
      update campaigns set skipped_count = skipped_count + (select count(*) from skipped)
      where id = ${campaignId}`.execute(query<Tables>(em));
  }

  private db() {
    return query<Tables>(this.em.fork());
  }
}

interface DueRow {
  readonly id: number;
  readonly attempts: number;
  readonly ownerId: number;
  readonly userId: number | null;
  readonly email: string | null;
  readonly language: Recipient['language'] | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly isWanted: boolean;
}

function toClaimed({ id, attempts, userId, email, language, firstName, lastName }: DueRow, campaignId: number) {
  return {
    ...{ id, campaignId, attempt: attempts + 1 },
    ...{ userId: userId!, email: email!, language: language!, firstName, lastName },
  };
}

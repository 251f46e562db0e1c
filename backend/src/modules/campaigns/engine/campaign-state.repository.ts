import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { CampaignFailure, CampaignSchema, CampaignStatus } from '../entities/campaign.entity.js';
import {
  failureWindowColumnsSql,
  incrementsSql,
  isCompleteSql,
  lockedCampaignSql,
  type CampaignCount,
} from '../shared/campaign.sql.js';
import type { DeliveryProblem, FailureWindow } from './delivery.policy.js';

type Tables = typeof CampaignSchema;

/** Emails of an owner that are charged to a month. */
export interface EmailCharge {
  readonly ownerId: number;
  /** Format: "2026-11", UTC. */
  readonly period: string;
  readonly amount: number;
}

/** For a campaign with alias `c`: number of emails that were charged but not sent, and not refunded yet. */
const refundableCount = sql<number>`(c.kept_count + c.failed_count + c.skipped_count + c.cancelled_count
  - c.returned_count)`;

/** Condition on a campaign with alias `c`: emails were rejected or kept, and none was delivered. */
const isUndelivered = sql<boolean>`(c.delivered_count < 1 and c.failed_count + c.kept_count > 0)`;

/** Why a campaign with alias `c` was delivered to no one; rejections take precedence over kept emails. */
const undeliveredReason = sql<'ALL_REFUSED' | 'NO_MAIL_SERVER'>`case when c.failed_count > 0 then 'ALL_REFUSED'
  else 'NO_MAIL_SERVER' end`;

/**
 * Condition on a campaign with alias `c`: it finishes once nothing is left to send. Applies while it is sending, and if
 * it was paused automatically and the emails in progress at that time were rejected too, so that none is left to
 * resume.
 */
const endsWhenComplete = sql<boolean>`(c.status = 'sending'
  or (c.status = 'paused' and c.kind = 'campaign' and c.failure is not null and ${isUndelivered}))`;

/** Final state by whether any email of the campaign with alias `c` was delivered; a zone's welcome email never ends. */
function endedStatus<T extends string>(sent: T | null, refused: T | RawBuilder<T>) {
  return sql<T>`case when c.kind = 'campaign' and ${isUndelivered} then ${refused} else ${sent} end`;
}

/** The counters of campaigns, and the changes of their status that follow from them. */
@Injectable()
export class CampaignStateRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks a campaign until the commit; must be called before its deliveries are locked. Rows that reference it can still
   * be inserted.
   */
  async lockRow(em: EntityManager, id: number): Promise<void> {
    await lockedCampaignSql(id).execute(query<Tables>(em));
  }

  /** Like `lockRow`. Returns the campaign's status, or null if it doesn't exist. */
  async lockStatus(em: EntityManager, id: number): Promise<CampaignStatus | null> {
    const { rows } = await sql<{ status: CampaignStatus }>`
      select status from campaigns where id = ${id} for no key update`.execute(query<Tables>(em));
    return rows[0]?.status ?? null;
  }

  /** Increments counters of a campaign that the caller's transaction has locked. */
  async incrementCounts(em: EntityManager, id: number, amounts: Partial<Record<CampaignCount, number>>): Promise<void> {
    await sql`update campaigns c set ${incrementsSql(amounts)} where c.id = ${id}`.execute(query<Tables>(em));
  }

  /** Resets the failure window of a campaign that its owner resumes; the caller's transaction has locked it. */
  async resetFailureWindow(em: EntityManager, id: number): Promise<void> {
    await sql`update campaigns c set sender_fault_count = 0, watched_from = c.delivered_count + c.failed_count
      where c.id = ${id}`.execute(query<Tables>(em));
  }

  /** Locks a campaign that is being sent and returns its results; null for any other and for welcome emails. */
  async lockFailureWindow(em: EntityManager, id: number): Promise<FailureWindow | null> {
    const { rows } = await sql<FailureWindow>`
      select ${failureWindowColumnsSql} from campaigns c where c.id = ${id} and c.status = 'sending' and c.kind = 'campaign'
      for no key update`.execute(query<Tables>(em));
    return rows[0] ?? null;
  }

  /** Returns the results of all campaigns being sent that have rejections. */
  async findRejected(): Promise<({ id: number } & FailureWindow)[]> {
    const { rows } = await sql<{ id: number } & FailureWindow>`
      select c.id, ${failureWindowColumnsSql} from campaigns c
      where c.status = 'sending' and c.kind = 'campaign' and c.sender_fault_count + c.reader_fault_count > 0
      order by c.id`.execute(query<Tables>(this.em.fork()));
    return rows;
  }

  /** Pauses a locked campaign that is being rejected. */
  async pauseRejected(em: EntityManager, id: number, failure: DeliveryProblem): Promise<void> {
    await query<Tables>(em).updateTable('campaigns').set({ status: 'paused', failure }).where('id', '=', id).execute();
  }

  /** Pauses all campaigns of an owner that are being sent. */
  async pauseAllOf(em: EntityManager, ownerId: number): Promise<void> {
    await query<Tables>(em)
      .with('active', (cte) =>
        cte
          .selectFrom('campaigns')
          .select('id')
          .where('sent_by_id', '=', ownerId)
          .where('status', '=', 'sending')
          .orderBy('id')
          .forNoKeyUpdate(),
      )
      .updateTable('campaigns as c')
      .from('active')
      .set({ status: 'paused' })
      .whereRef('c.id', '=', 'active.id')
      .where('c.status', '=', 'sending')
      .execute();
  }

  /**
   * Ends a campaign that has nothing left to send: as failed if it was delivered to no one, as sent otherwise.
   * @returns null if it isn't complete, or has ended already
   */
  async finishComplete(
    em: EntityManager,
    id: number,
  ): Promise<{ ownerId: number; failure: CampaignFailure | null } | null> {
    const ended = await query<Tables>(em)
      .updateTable('campaigns as c')
      .set({
        status: endedStatus('sent', 'failed'),
        failure: endedStatus(null, undeliveredReason),
        sent_at: this.clock.now(),
      })
      .where('c.id', '=', id)
      .where(endsWhenComplete)
      .where(isCompleteSql)
      .returning(['c.sent_by_id as ownerId', 'c.failure as failure'])
      .executeTakeFirst();
    return ended ?? null;
  }

  /**
   * Marks a sent campaign as failed if none of its emails counts as delivered any more.
   * @returns the reason; null for any other campaign
   */
  async markUndelivered(em: EntityManager, id: number): Promise<CampaignFailure | null> {
    const updated = await query<Tables>(em)
      .updateTable('campaigns as c')
      .set({ status: 'failed', failure: undeliveredReason })
      .where('c.id', '=', id)
      .where('c.status', '=', 'sent')
      .where('c.kind', '=', 'campaign')
      .where(isUndelivered)
      .returning('c.failure')
      .executeTakeFirst();
    return updated?.failure ?? null;
  }

  /** Locks a campaign and returns which charged emails were not sent and are not refunded yet; null if none. */
  async lockRefundableQuota(em: EntityManager, id: number): Promise<EmailCharge | null> {
    const { rows } = await sql<{ ownerId: number; period: string | null; amount: number }>`
      select c.sent_by_id as "ownerId", c.period, ${refundableCount} as amount
      from campaigns c where c.id = ${id} for no key update`.execute(query<Tables>(em));
    const [row] = rows;
    if (!row || row.period === null || Number(row.amount) === 0) return null;
    return { ownerId: row.ownerId, period: row.period, amount: Number(row.amount) };
  }

  /** Returns active campaigns that are complete or have quota to refund. */
  async findUnsettled(): Promise<{ id: number; isDone: boolean }[]> {
    const { rows } = await sql<{ id: number; isDone: boolean }>`
      select c.id, ${endsWhenComplete} and ${isCompleteSql} as "isDone"
      from campaigns c where c.status in ('sending', 'paused') and (${refundableCount} <> 0 or ${isCompleteSql})`.execute(
      query<Tables>(this.em.fork()),
    );
    return rows;
  }
}

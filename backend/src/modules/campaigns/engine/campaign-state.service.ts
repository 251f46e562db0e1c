import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { toMonth } from '../../plans/plan.policy.js';
import { UsageService } from '../../plans/usage.service.js';
import { SuppressionRepository } from '../../zones/leaving/suppression.repository.js';
import { CampaignSchema, type Campaign } from '../entities/campaign.entity.js';
import { DeliverySchema } from '../entities/delivery.entity.js';
import { wakeCampaignWorkers, notifyCampaignStopped } from '../campaigns.jobs.js';
import { CampaignRendererService } from '../rendering/campaign-renderer.service.js';
import {
  incrementCounts,
  isUndelivered,
  isComplete,
  undeliveredReason,
  isRecipientProblem,
  refundableCount,
  detectDeliveryProblem,
  resetFailureWindow,
  failureWindowColumns,
  type FailureWindow,
} from '../shared/campaign-counters.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema | typeof UserSchema;

/** Emails to be sent again, by their previous result. */
export interface RequeuedCounts {
  readonly failed: number;
  readonly kept: number;
}

/** Number of an owner's campaigns in which an address must fail permanently before it is suppressed. */
export const SUPPRESSION_THRESHOLD = 3;

/** Manages the state of campaigns during and after sending, and the related email quota. */
@Injectable()
export class CampaignStateService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly usage: UsageService,
    private readonly suppressions: SuppressionRepository,
    private readonly jobs: JobsService,
    private readonly renderer: CampaignRendererService,
  ) {}

  /**
   * Starts sending a locked campaign to recipients that were added to it, and charges them to the current month, in the
   * caller's transaction. Must be called last, because it locks the owner's usage.
   * @throws PLAN_LIMIT if the quota does not cover all of them
   */
  async start(em: EntityManager, campaign: Campaign, added: number): Promise<void> {
    const now = this.clock.now();
    const period = toMonth(now);
    const links = await this.renderer.listTrackedLinks(em, campaign.id);
    em.assign(campaign, {
      status: 'sending',
      startedAt: campaign.startedAt ?? now,
      period,
      failure: null,
      recipientCount: campaign.recipientCount + added,
      links: [...links],
    });
    await em.flush();
    await this.notifyWorkers(em, campaign.id);
    await this.usage.addUsage(em, campaign.sentById, 'mails', added, period);
  }

  /**
   * Sends a locked campaign again to recipients whose email failed or was not sent for lack of a mail server, charged
   * to the current month. Must be called last in the transaction too.
   * @throws PLAN_LIMIT
   */
  async restart(em: EntityManager, campaign: Campaign, { failed, kept }: RequeuedCounts): Promise<void> {
    const now = this.clock.now();
    const period = toMonth(now);
    const refundable = await this.getRefundableQuota(em, campaign.id);
    em.assign(campaign, { status: 'sending', sentAt: null, period, failure: null, updatedAt: now });
    await em.flush();
    // The refundable amount counts as refunded, and the emails tried again as charged.
    const retried = failed + kept;
    const returned = (refundable?.amount ?? 0) - retried;
    const { readerFaultCount } = campaign;
    await incrementCounts(em, campaign.id, { failed: -failed, kept: -kept, returned, reader_fault: -readerFaultCount });
    await this.resumeDelivery(em, campaign.id);
    // The earlier month first: usage rows are locked last and in a fixed order.
    if (refundable)
      await this.usage.releaseUsage(em, refundable.ownerId, 'mails', refundable.amount, refundable.period);
    await this.usage.addUsage(em, campaign.sentById, 'mails', retried, period);
  }

  /** Lets workers continue a locked campaign; earlier rejections no longer count. */
  async resumeDelivery(em: EntityManager, campaignId: number): Promise<void> {
    await resetFailureWindow(em, campaignId);
    await this.notifyWorkers(em, campaignId);
  }

  /**
   * Pauses a campaign that mail servers reject because of the sender, or because too many mailboxes don't exist, and
   * notifies its owner. Does nothing for any other campaign. Idempotent.
   */
  pauseRejected(campaignId: number): Promise<void> {
    return inTransaction(this.em.fork(), async (em) => {
      const { rows } = await sql<FailureWindow>`
        select ${failureWindowColumns} from campaigns c where c.id = ${campaignId} and c.status = 'sending' and c.kind = 'campaign'
        for no key update`.execute(query<Tables>(em));
      const failure = rows[0] ? detectDeliveryProblem(rows[0]) : null;
      if (!failure) return;
      await query<Tables>(em)
        .updateTable('campaigns')
        .set({ status: 'paused', failure })
        .where('id', '=', campaignId)
        .execute();
      await this.jobs.enqueue(em, notifyCampaignStopped, { campaignId });
    });
  }

  /** Pauses campaigns whose automatic pause was interrupted. */
  async pauseAllRejected(): Promise<void> {
    const { rows } = await sql<{ id: number } & FailureWindow>`
      select c.id, ${failureWindowColumns} from campaigns c
      where c.status = 'sending' and c.kind = 'campaign' and c.sender_fault_count + c.reader_fault_count > 0
      order by c.id`.execute(query<Tables>(this.em.fork()));
    await forEachIsolated(
      rows.filter((row) => detectDeliveryProblem(row)),
      ({ id }) => this.pauseRejected(id),
    );
  }

  /**
   * Finishes a campaign that has nothing left to send; otherwise does nothing. Idempotent. A campaign that was
   * delivered to no one is not marked as sent. If it was rejected, the owner is notified, unless the campaign was
   * already paused, which sent a notification.
   */
  finish(campaignId: number): Promise<void> {
    return inTransaction(this.em.fork(), async (em) => {
      const [before] = await em.execute<{ status: string }[]>(
        'select status from campaigns where id = ? for no key update',
        [campaignId],
      );
      const ended = await query<Tables>(em)
        .updateTable('campaigns as c')
        .set({
          status: endedStatus('sent', 'failed'),
          failure: endedStatus(null, undeliveredReason),
          sent_at: this.clock.now(),
        })
        .where('c.id', '=', campaignId)
        .where(endsWhenComplete)
        .where(isComplete)
        .returning(['c.sent_by_id as ownerId', 'c.failure as failure'])
        .executeTakeFirst();
      if (!ended) return;
      if (ended.failure === 'ALL_REFUSED' && before?.status === 'sending')
        await this.jobs.enqueue(em, notifyCampaignStopped, { campaignId });
      await this.suppressFailingAddresses(em, campaignId, ended.ownerId);
      await this.refundUnsentQuota(em, campaignId);
    });
  }

  /** Marks a locked campaign as undelivered if its last delivered email has bounced; does nothing for any other. */
  async markUndelivered(em: EntityManager, campaignId: number): Promise<void> {
    const updated = await query<Tables>(em)
      .updateTable('campaigns as c')
      .set({ status: 'failed', failure: undeliveredReason })
      .where('c.id', '=', campaignId)
      .where('c.status', '=', 'sent')
      .where('c.kind', '=', 'campaign')
      .where(isUndelivered)
      .returning('c.failure')
      .executeTakeFirst();
    if (updated?.failure === 'ALL_REFUSED') await this.jobs.enqueue(em, notifyCampaignStopped, { campaignId });
  }

  /**
   * Refunds the quota of recipients who got no email, to the month that was charged, in the caller's transaction. Only
   * amounts not refunded yet.
   */
  async refundUnsentQuota(em: EntityManager, campaignId: number): Promise<void> {
    const refundable = await this.getRefundableQuota(em, campaignId);
    if (!refundable) return;
    await incrementCounts(em, campaignId, { returned: refundable.amount });
    await this.usage.releaseUsage(em, refundable.ownerId, 'mails', refundable.amount, refundable.period);
  }

  /** Finishes and refunds campaigns that were interrupted between the last email and finishing. */
  async sweep(): Promise<void> {
    const { rows } = await sql<{ id: number; isDone: boolean }>`
      select c.id, ${endsWhenComplete} and ${isComplete} as "isDone"
      from campaigns c where c.status in ('sending', 'paused') and (${refundableCount} <> 0 or ${isComplete})`.execute(
      query<Tables>(this.em.fork()),
    );
    await forEachIsolated(rows, ({ id, isDone }) =>
      isDone ? this.finish(id) : inTransaction(this.em.fork(), (em) => this.refundUnsentQuota(em, id)),
    );
  }

  /**
   * Suppresses addresses that failed because of the recipient in this campaign and in enough others of the owner. A
   * delivered email since then, or the owner lifting the suppression, resets the count.
   */
  async suppressFailingAddresses(em: EntityManager, campaignId: number, ownerId: number): Promise<void> {
    const { rows } = await sql<{ email: string; failedAt: Date[] }>`
      with failed as (
        select d.user_id, d.campaign_id, max(coalesce(d.failed_at, c.started_at)) as at
        from deliveries d join campaigns c on c.id = d.campaign_id
        where c.sent_by_id = ${ownerId} and ${isRecipientProblem} and d.state = 'failed' and d.fault = 'reader' and d.user_id in (
          select user_id from deliveries where campaign_id = ${campaignId} and state = 'failed' and fault = 'reader')
        group by 1, 2
      ), since as (
        select f.* from failed f where not exists (
          select from deliveries s join campaigns c on c.id = s.campaign_id
          where c.sent_by_id = ${ownerId} and s.user_id = f.user_id and s.state = 'delivered' and s.sent_at > f.at)
      )
      select u.email, array_agg(s.at) as "failedAt" from since s join users u on u.id = s.user_id
      group by u.id, u.email having count(*) >= ${SUPPRESSION_THRESHOLD}`.execute(query<Tables>(em));
    const lifted = await this.suppressions.findLiftDates(
      em,
      ownerId,
      rows.map(({ email }) => email),
    );
    for (const { email, failedAt } of rows) {
      const since = lifted.get(email);
      const counted = failedAt.filter((at) => !since || new Date(at) > since);
      if (counted.length >= SUPPRESSION_THRESHOLD) await this.suppressions.addSuppression(em, ownerId, email, 'failed');
    }
  }

  /** Returns what `refundUnsentQuota` refunds and to which month; null if nothing. Locks the campaign. */
  private async getRefundableQuota(em: EntityManager, campaignId: number) {
    const { rows } = await sql<{ ownerId: number; period: string | null; amount: number }>`
      select c.sent_by_id as "ownerId", c.period, ${refundableCount} as amount
      from campaigns c where c.id = ${campaignId} for no key update`.execute(query<Tables>(em));
    const [row] = rows;
    if (!row || row.period === null || Number(row.amount) === 0) return null;
    return { ownerId: row.ownerId, period: row.period, amount: Number(row.amount) };
  }

  private notifyWorkers(em: EntityManager, campaignId: number): Promise<void> {
    return this.jobs.enqueue(em, wakeCampaignWorkers, { campaignId });
  }
}

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

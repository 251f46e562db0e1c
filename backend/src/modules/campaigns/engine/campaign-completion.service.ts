import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { UsageService } from '../../plans/usage.service.js';
import { SuppressionService } from '../../zones/suppression.service.js';
import { CampaignSchema } from '../entities/campaign.entity.js';
import { DeliverySchema } from '../entities/delivery.entity.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema | typeof UserSchema;

/** Campaigns of one owner in which an address must have been refused for good before it gets no more mails. */
const FAILED_CAMPAIGNS = 3;

/** What follows when the mails of a campaign have gone out: the end itself, and the quota of those who got none. */
@Injectable()
export class CampaignCompletion {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly usage: UsageService,
    private readonly suppressions: SuppressionService,
  ) {}

  /** Ends a campaign of which nothing is left to send; does nothing otherwise, also when called twice. */
  finish(campaignId: number): Promise<void> {
    return inTransaction(this.em.fork(), async (em) => {
      const ended = await query<Tables>(em)
        .updateTable('campaigns')
        .set({ status: 'sent', sent_at: this.clock.now() })
        .where('id', '=', campaignId)
        .where('status', '=', 'sending')
        .where(sql<boolean>`recipient_count = delivered_count + failed_count + skipped_count + cancelled_count`)
        .returning('sent_by_id as ownerId')
        .executeTakeFirst();
      if (!ended) return;
      await this.suppressFailing(em, campaignId, ended.ownerId);
      await this.settle(em, campaignId);
    });
  }

  /**
   * Gives back what was charged for recipients who got no mail, to the month that was charged, in the caller's
   * transaction. Only what has not been given back yet.
   */
  async settle(em: EntityManager, campaignId: number): Promise<void> {
    const { rows } = await sql<{ ownerId: number; period: string | null; amount: number }>`
      with before as (select id, returned_count from campaigns where id = ${campaignId} for no key update)
      update campaigns c set returned_count = failed_count + skipped_count + cancelled_count from before
      where c.id = before.id
      returning c.sent_by_id as "ownerId", c.period, c.returned_count - before.returned_count as amount`.execute(
      query<Tables>(em),
    );
    const [row] = rows;
    if (!row || row.period === null || row.amount === 0) return;
    await this.usage.give(em, row.ownerId, 'mails', row.amount, row.period);
  }

  /** Ends and settles what was interrupted between its last mail and its end. */
  async sweep(): Promise<void> {
    const { rows } = await sql<{ id: number; isDone: boolean }>`
      select id, status = 'sending'
        and recipient_count = delivered_count + failed_count + skipped_count + cancelled_count as "isDone"
      from campaigns where status in ('sending', 'paused')
        and (returned_count <> failed_count + skipped_count + cancelled_count
          or recipient_count = delivered_count + failed_count + skipped_count + cancelled_count)`.execute(
      query<Tables>(this.em.fork()),
    );
    for (const { id, isDone } of rows) {
      if (isDone) await this.finish(id);
      else await inTransaction(this.em.fork(), (em) => this.settle(em, id));
    }
  }

  /** Notes addresses that were refused for good in this campaign and in enough others of the owner. */
  async suppressFailing(em: EntityManager, campaignId: number, ownerId: number): Promise<void> {
    const { rows } = await sql<{ email: string }>`
      select u.email from deliveries d join campaigns c on c.id = d.campaign_id join users u on u.id = d.user_id
      where c.sent_by_id = ${ownerId} and d.state = 'failed' and d.smtp_code >= 500 and d.user_id in (
        select user_id from deliveries where campaign_id = ${campaignId} and state = 'failed' and smtp_code >= 500)
      group by u.id, u.email having count(distinct d.campaign_id) >= ${FAILED_CAMPAIGNS}`.execute(query<Tables>(em));
    for (const { email } of rows) await this.suppressions.add(em, ownerId, email, 'failed');
  }
}

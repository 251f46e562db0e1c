import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { CampaignEventSchema, Verdict } from '../entities/campaign-event.entity.js';
import type { CampaignSchema } from '../entities/campaign.entity.js';
import type { DeliverySchema } from '../entities/delivery.entity.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema | typeof CampaignEventSchema;

export type TrackedDelivery = NonNullable<Awaited<ReturnType<TrackingRepository['findDelivery']>>>;

export interface NewEvent {
  readonly campaignId: number;
  readonly deliveryId: number;
  readonly type: 'open' | 'click';
  readonly link: number | null;
  readonly verdict: Verdict;
  readonly ipAddress: string | null;
  readonly userAgent: string;
  readonly createdAt: Date;
}

const MAX_USER_AGENT_LENGTH = 500;

/** Opens and clicks: the events as received, and the columns of deliveries with the first ones. */
@Injectable()
export class TrackingRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns a delivery with the URL of one of its campaign's links. */
  async findDelivery(deliveryId: number, link: number | null) {
    const row = await query<Tables>(this.em)
      .selectFrom('deliveries as d')
      .innerJoin('campaigns as c', 'c.id', 'd.campaign_id')
      .select(['c.id as campaignId', 'd.id as deliveryId', 'd.sent_at as sentAt'])
      // People who open a kept email in the installation's mailbox are not recipients.
      .select(sql<boolean>`c.tracking_enabled and d.state <> 'kept'`.as('isTracked'))
      .select(['d.event_count as eventCount', sql<string | null>`c.links ->> ${link ?? -1}::int`.as('url')])
      .where('d.id', '=', deliveryId)
      .executeTakeFirst();
    return row ?? null;
  }

  async insertEvent(em: EntityManager, event: NewEvent): Promise<void> {
    await query<Tables>(em)
      .insertInto('campaign_events')
      .values({
        campaign_id: event.campaignId,
        delivery_id: event.deliveryId,
        type: event.type,
        link: event.link,
        verdict: event.verdict,
        ip_address: event.ipAddress,
        user_agent: event.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
        created_at: event.createdAt,
      })
      .execute();
  }

  /** Returns whether another link of the same email was clicked after an instant. */
  async hasOtherClick(em: EntityManager, deliveryId: number, link: number, after: Date): Promise<boolean> {
    const other = await query<Tables>(em)
      .selectFrom('campaign_events')
      .select('id')
      .where('delivery_id', '=', deliveryId)
      .where('type', '=', 'click')
      .where('link', '!=', link)
      .where('created_at', '>', after)
      .limit(1)
      .executeTakeFirst();
    return other !== undefined;
  }

  /** Returns when a delivery was first opened and clicked. */
  async findFirstEvents(
    em: EntityManager,
    deliveryId: number,
  ): Promise<{ openedAt: Date | null; clickedAt: Date | null } | null> {
    const row = await query<Tables>(em)
      .selectFrom('deliveries')
      .select(['opened_at as openedAt', 'clicked_at as clickedAt'])
      .where('id', '=', deliveryId)
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Counts an event of a delivery, and sets when it was first opened and clicked; a click also counts as an open.
   * @param isOpen false for an event that only counts towards the maximum per delivery
   * @returns whether these were set, as 0 or 1
   */
  async countEvent(
    em: EntityManager,
    deliveryId: number,
    { at, isOpen, isClick }: { at: Date; isOpen: boolean; isClick: boolean },
  ): Promise<{ opens: number; clicks: number }> {
    const { rows } = await sql<{ opens: number; clicks: number }>`
      with before as (select id, opened_at, clicked_at from deliveries where id = ${deliveryId} for no key update)
      update deliveries d set event_count = d.event_count + 1,
        opened_at = case when ${isOpen} then coalesce(d.opened_at, ${at}::timestamptz) else d.opened_at end,
        clicked_at = case when ${isClick} then coalesce(d.clicked_at, ${at}::timestamptz) else d.clicked_at end
      from before where d.id = before.id
      returning (before.opened_at is null and d.opened_at is not null)::int as opens,
        (before.clicked_at is null and d.clicked_at is not null)::int as clicks`.execute(query<Tables>(em));
    return rows[0] ?? { opens: 0, clicks: 0 };
  }
}

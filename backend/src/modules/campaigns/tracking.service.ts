import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { CampaignEventSchema, type Verdict } from './entities/campaign-event.entity.js';
import { CampaignSchema } from './entities/campaign.entity.js';
import { DeliverySchema } from './entities/delivery.entity.js';
import { readTrackingToken } from './tracking-token.js';
import { BURST, verdictOf } from './verdict.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema | typeof CampaignEventSchema;

/** Events kept of one delivery: an address that somebody asks for again and again fills no disk. */
const MOST_EVENTS = 200;

export interface Visitor {
  readonly method: string;
  readonly userAgent: string;
  readonly ipAddress: string | null;
}

interface Tracked {
  readonly campaignId: number;
  readonly deliveryId: number;
  readonly isTracked: boolean;
  readonly sentAt: Date | null;
  readonly eventCount: number;
  readonly url: string | null;
}

/** Openings and clicks: each is kept as it came, with a verdict beside it; a recipient counts once. */
@Injectable()
export class TrackingService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Notes that the picture of a mail was loaded. @returns false for a token that is not ours, or a mail that is gone */
  async opened(token: string, visitor: Visitor): Promise<boolean> {
    const tracked = readTrackingToken(this.config.appSecret, token);
    if (!tracked || tracked.link !== null) return false;
    const found = await this.find(tracked.deliveryId, null);
    if (found?.isTracked) await this.note(found, 'open', null, visitor);
    return found !== null;
  }

  /**
   * Notes a click and tells where it leads: to an address of that campaign and nowhere else.
   * @returns null for a token that is not ours, or a campaign that is gone
   */
  async clicked(token: string, visitor: Visitor): Promise<string | null> {
    const tracked = readTrackingToken(this.config.appSecret, token);
    if (!tracked || tracked.link === null) return null;
    const found = await this.find(tracked.deliveryId, tracked.link);
    if (!found?.url) return null;
    if (found.isTracked) await this.note(found, 'click', tracked.link, visitor);
    return found.url;
  }

  private async find(deliveryId: number, link: number | null): Promise<Tracked | null> {
    const row = await query<Tables>(this.em)
      .selectFrom('deliveries as d')
      .innerJoin('campaigns as c', 'c.id', 'd.campaign_id')
      .select(['c.id as campaignId', 'd.id as deliveryId', 'c.tracking_enabled as isTracked', 'd.sent_at as sentAt'])
      .select(['d.event_count as eventCount', sql<string | null>`c.links ->> ${link ?? -1}::int`.as('url')])
      .where('d.id', '=', deliveryId)
      .executeTakeFirst();
    return row ?? null;
  }

  private async note(tracked: Tracked, type: 'open' | 'click', link: number | null, visitor: Visitor): Promise<void> {
    if (tracked.eventCount >= MOST_EVENTS) return;
    const now = this.clock.now();
    await inTransaction(this.em, async (em) => {
      const isBurst = link !== null && (await this.isBurst(em, tracked.deliveryId, link, now));
      const age = tracked.sentAt ? now.getTime() - tracked.sentAt.getTime() : null;
      const verdict = verdictOf({ type, isBurst, age, method: visitor.method, userAgent: visitor.userAgent });
      await query<Tables>(em)
        .insertInto('campaign_events')
        .values({
          ...{ campaign_id: tracked.campaignId, delivery_id: tracked.deliveryId, type, link, verdict },
          ...{ ip_address: visitor.ipAddress, user_agent: visitor.userAgent.slice(0, 500), created_at: now },
        })
        .execute();
      await this.count(em, tracked, type, verdict, now);
    });
  }

  private async isBurst(em: EntityManager, deliveryId: number, link: number, now: Date): Promise<boolean> {
    const other = await query<Tables>(em)
      .selectFrom('campaign_events')
      .select('id')
      .where('delivery_id', '=', deliveryId)
      .where('type', '=', 'click')
      .where('link', '!=', link)
      .where('created_at', '>', after(now, -BURST))
      .limit(1)
      .executeTakeFirst();
    return other !== undefined;
  }

  /** A recipient's first opening, or click, counts for the campaign; who clicks has opened it. */
  private async count(
    em: EntityManager,
    { deliveryId, campaignId }: Tracked,
    type: 'open' | 'click',
    verdict: Verdict,
    now: Date,
  ) {
    const counts = verdict !== 'machine';
    const isClick = type === 'click';
    const { rows } = await sql<{ opens: number; clicks: number }>`
      with before as (select id, opened_at, clicked_at from deliveries where id = ${deliveryId} for no key update)
      update deliveries d set event_count = d.event_count + 1,
        opened_at = case when ${counts} then coalesce(d.opened_at, ${now}::timestamptz) else d.opened_at end,
        clicked_at = case when ${counts && isClick} then coalesce(d.clicked_at, ${now}::timestamptz) else d.clicked_at end
      from before where d.id = before.id
      returning (before.opened_at is null and d.opened_at is not null)::int as opens,
        (before.clicked_at is null and d.clicked_at is not null)::int as clicks`.execute(query<Tables>(em));
    const { opens, clicks } = rows[0] ?? { opens: 0, clicks: 0 };
    if (opens + clicks === 0) return;
    await sql`
      update campaigns set open_count = open_count + ${opens}, click_count = click_count + ${clicks}
      where id = ${campaignId}`.execute(query<Tables>(em));
  }
}

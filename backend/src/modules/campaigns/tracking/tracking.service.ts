import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { incrementCounts, lockCampaign } from '../shared/campaign-counters.js';
import { CampaignEventSchema, type Verdict } from '../entities/campaign-event.entity.js';
import { CampaignSchema } from '../entities/campaign.entity.js';
import { DeliverySchema } from '../entities/delivery.entity.js';
import { TRACKING_PERIOD, readTrackingToken } from '../shared/tracking-token.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema | typeof CampaignEventSchema;

/** Maximum number of stored events per delivery, so that repeated requests can't fill the disk. */
const MAX_EVENTS_PER_DELIVERY = 200;

export interface Visitor {
  readonly method: string;
  readonly userAgent: string;
  readonly ipAddress: string | null;
}

type TrackedDelivery = NonNullable<Awaited<ReturnType<TrackingService['findDelivery']>>>;

/** Records opens and clicks. Every event is stored as received, with a verdict; each recipient counts once. */
@Injectable()
export class TrackingService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * Records that the pixel of an email was loaded.
   * @returns false if the token is invalid or the delivery no longer exists
   */
  async recordOpen(token: string, visitor: Visitor): Promise<boolean> {
    const tracked = readTrackingToken(this.config.keys, token);
    if (!tracked || tracked.link !== null) return false;
    const found = await this.findDelivery(tracked.deliveryId, null);
    if (found?.isTracked) await this.recordEvent(found, 'open', null, visitor);
    return found !== undefined;
  }

  /**
   * Records a click and returns the target URL, which is always one of that campaign.
   * @returns null if the token is invalid or the campaign no longer exists
   */
  async recordClick(token: string, visitor: Visitor): Promise<string | null> {
    const tracked = readTrackingToken(this.config.keys, token);
    if (!tracked || tracked.link === null) return null;
    const found = await this.findDelivery(tracked.deliveryId, tracked.link);
    if (!found?.url) return null;
    if (found.isTracked) await this.recordEvent(found, 'click', tracked.link, visitor);
    return found.url;
  }

  private findDelivery(deliveryId: number, link: number | null) {
    return (
      query<Tables>(this.em)
        .selectFrom('deliveries as d')
        .innerJoin('campaigns as c', 'c.id', 'd.campaign_id')
        .select(['c.id as campaignId', 'd.id as deliveryId', 'd.sent_at as sentAt'])
        // People who open an email on hold in the installation's mailbox are not recipients.
        .select(sql<boolean>`c.tracking_enabled and d.state <> 'kept'`.as('isTracked'))
        .select(['d.event_count as eventCount', sql<string | null>`c.links ->> ${link ?? -1}::int`.as('url')])
        .where('d.id', '=', deliveryId)
        .executeTakeFirst()
    );
  }

  private async recordEvent(
    tracked: TrackedDelivery,
    type: 'open' | 'click',
    link: number | null,
    visitor: Visitor,
  ): Promise<void> {
    const now = this.clock.now();
    const isOver = tracked.sentAt !== null && tracked.sentAt.getTime() < now.getTime() - TRACKING_PERIOD;
    if (isOver || tracked.eventCount >= MAX_EVENTS_PER_DELIVERY) return;
    await inTransaction(this.em, async (em) => {
      const isBurst = link !== null && (await this.isBurst(em, tracked.deliveryId, link, now));
      const age = tracked.sentAt ? now.getTime() - tracked.sentAt.getTime() : null;
      const verdict = classifyTrackingEvent({
        type,
        isBurst,
        age,
        method: visitor.method,
        userAgent: visitor.userAgent,
      });
      await query<Tables>(em)
        .insertInto('campaign_events')
        .values({
          campaign_id: tracked.campaignId,
          delivery_id: tracked.deliveryId,
          type,
          link,
          verdict,
          ip_address: visitor.ipAddress,
          user_agent: visitor.userAgent.slice(0, 500),
          created_at: now,
        })
        .execute();
      await this.countFirstEvent(em, tracked, type, verdict, now);
    });
  }

  private async isBurst(em: EntityManager, deliveryId: number, link: number, now: Date): Promise<boolean> {
    const other = await query<Tables>(em)
      .selectFrom('campaign_events')
      .select('id')
      .where('delivery_id', '=', deliveryId)
      .where('type', '=', 'click')
      .where('link', '!=', link)
      .where('created_at', '>', addMilliseconds(now, -BURST_WINDOW))
      .limit(1)
      .executeTakeFirst();
    return other !== undefined;
  }

  /**
   * Whether the campaign's counters may change, so that the campaign is locked before the delivery. A recorded first
   * event never changes.
   */
  private async mayBeFirst(em: EntityManager, deliveryId: number, isClick: boolean): Promise<boolean> {
    const before = await query<Tables>(em)
      .selectFrom('deliveries')
      .select(['opened_at', 'clicked_at'])
      .where('id', '=', deliveryId)
      .executeTakeFirst();
    return before !== undefined && (before.opened_at === null || (isClick && before.clicked_at === null));
  }

  /** A recipient's first open or click counts for the campaign; a click also counts as an open. */
  private async countFirstEvent(
    em: EntityManager,
    { deliveryId, campaignId }: TrackedDelivery,
    type: 'open' | 'click',
    verdict: Verdict,
    now: Date,
  ) {
    const counts = verdict !== 'machine';
    const isClick = type === 'click';
    if (counts && (await this.mayBeFirst(em, deliveryId, isClick))) await lockCampaign(em, campaignId);
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
    await incrementCounts(em, campaignId, { open: opens, click: clicks });
  }
}

/** Programs that identify themselves. */
const BOT_PATTERN =
  /bot\b|bot[/;_-]|crawl|spider|slurp|preview|scan|fetch|monitor|headless|phantom|puppeteer|playwright|selenium|curl|wget|python|java\/|go-http|okhttp|axios|node-fetch|libwww|httpclient|barracuda|proofpoint|mimecast|symantec|trendmicro|safelinks|skypeuri|urldefense|virustotal/i;
/** Mail services that load images on behalf of people, when they open an email or before, so the cause is unknown. */
const IMAGE_PROXY_PATTERN = /GoogleImageProxy|ggpht|YahooMailProxy|YahooCacheSystem|DuckDuckGo/i;
/** User agents of browsers and email clients. */
const BROWSER_PATTERN =
  /(Mozilla\/5\.0 \(.+\) .*(AppleWebKit|Gecko))|Outlook|Thunderbird|Microsoft Office|Apple-?Mail|iPhone|Android/i;

/** Clicks within this time after the email was handed over come from programs, in milliseconds. */
const MIN_HUMAN_DELAY = 3000;
/** Clicks on several links within this time come from a program that follows all links, in milliseconds. */
export const BURST_WINDOW = 2000;

export interface TrackingEventInput {
  readonly type: 'open' | 'click';
  readonly method: string;
  readonly userAgent: string;
  /** Time since the email was handed to the mail server, in milliseconds; null if not recorded yet. */
  readonly age: number | null;
  /** True if another link of the same email was followed within `BURST_WINDOW`. */
  readonly isBurst: boolean;
}

/** Determines who most likely caused an event. Doubtful cases are `unknown` rather than discarded. */
export function classifyTrackingEvent({ type, method, userAgent, age, isBurst }: TrackingEventInput): Verdict {
  const agent = userAgent.trim();
  if (method !== 'GET' || agent === '' || agent === 'Mozilla/5.0') return 'machine';
  if (IMAGE_PROXY_PATTERN.test(agent)) return 'unknown';
  if (BOT_PATTERN.test(agent)) return 'machine';
  if (type === 'click' && (isBurst || age === null || age < MIN_HUMAN_DELAY)) return 'machine';
  return BROWSER_PATTERN.test(agent) ? 'human' : 'unknown';
}

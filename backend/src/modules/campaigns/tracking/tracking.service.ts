import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { CampaignStateRepository } from '../engine/campaign-state.repository.js';
import type { Verdict } from '../entities/campaign-event.entity.js';
import { TRACKING_PERIOD, readTrackingToken } from '../shared/tracking-token.js';
import { TrackingRepository, type NewEvent, type TrackedDelivery } from './tracking.repository.js';

/** Maximum number of stored events per delivery, so that repeated requests can't fill the disk. */
const MAX_EVENTS_PER_DELIVERY = 200;

export interface Visitor {
  readonly method: string;
  readonly userAgent: string;
  readonly ipAddress: string | null;
}

/** Records opens and clicks. Every event is stored as received, with a verdict; each recipient counts once. */
@Injectable()
export class TrackingService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly tracking: TrackingRepository,
    private readonly states: CampaignStateRepository,
  ) {}

  /**
   * Records that the pixel of an email was loaded.
   * @returns false if the token is invalid or the delivery no longer exists
   */
  async recordOpen(token: string, visitor: Visitor): Promise<boolean> {
    const tracked = readTrackingToken(this.config.keys, token);
    if (!tracked || tracked.link !== null) return false;
    const found = await this.tracking.findDelivery(tracked.deliveryId, null);
    if (found?.isTracked) await this.recordEvent(found, 'open', null, visitor);
    return found !== null;
  }

  /**
   * Records a click and returns the target URL, which is always one of that campaign.
   * @returns null if the token is invalid or the campaign no longer exists
   */
  async recordClick(token: string, visitor: Visitor): Promise<string | null> {
    const tracked = readTrackingToken(this.config.keys, token);
    if (!tracked || tracked.link === null) return null;
    const found = await this.tracking.findDelivery(tracked.deliveryId, tracked.link);
    if (!found?.url) return null;
    if (found.isTracked) await this.recordEvent(found, 'click', tracked.link, visitor);
    return found.url;
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
    const { campaignId, deliveryId } = tracked;
    await inTransaction(this.em, async (em) => {
      const since = addMilliseconds(now, -BURST_WINDOW);
      const isBurst = link !== null && (await this.tracking.hasOtherClick(em, deliveryId, link, since));
      const age = tracked.sentAt ? now.getTime() - tracked.sentAt.getTime() : null;
      const { method, userAgent, ipAddress } = visitor;
      const verdict = classifyTrackingEvent({ type, isBurst, age, method, userAgent });
      const event = { campaignId, deliveryId, type, link, verdict, ipAddress, userAgent, createdAt: now };
      await this.tracking.insertEvent(em, event);
      await this.countFirstEvent(em, event);
    });
  }

  /** A recipient's first open or click counts for the campaign; a click also counts as an open. */
  private async countFirstEvent(
    em: EntityManager,
    { campaignId, deliveryId, type, verdict, createdAt }: NewEvent,
  ): Promise<void> {
    const isOpen = verdict !== 'machine';
    const isClick = isOpen && type === 'click';
    if (isOpen && (await this.mayBeFirst(em, deliveryId, isClick))) await this.states.lockRow(em, campaignId);
    const { opens, clicks } = await this.tracking.countEvent(em, deliveryId, { at: createdAt, isOpen, isClick });
    if (opens + clicks === 0) return;
    await this.states.incrementCounts(em, campaignId, { open: opens, click: clicks });
  }

  /**
   * Whether the campaign's counters may change, so that the campaign is locked before the delivery. A recorded first
   * event never changes.
   */
  private async mayBeFirst(em: EntityManager, deliveryId: number, isClick: boolean): Promise<boolean> {
    const before = await this.tracking.findFirstEvents(em, deliveryId);
    return before !== null && (before.openedAt === null || (isClick && before.clickedAt === null));
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

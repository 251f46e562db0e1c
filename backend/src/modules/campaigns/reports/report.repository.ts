import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { BounceCause } from '../../../platform/email/outcome/send-outcome.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type Page } from '../../../platform/http/lists/list.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { CampaignHourDto, DeliveryDto, DeliveryQueryDto, FailureDto, LinkClicksDto } from '../dto/report.dto.js';
import type { CampaignEventSchema } from '../entities/campaign-event.entity.js';
import type { CampaignSchema } from '../entities/campaign.entity.js';
import type { DeliverySchema } from '../entities/delivery.entity.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema | typeof CampaignEventSchema | typeof UserSchema;

/** Rejections of a campaign with the same cause, and the most frequent response. */
export interface RejectionSummary {
  readonly bounceCause: BounceCause | null;
  readonly count: number;
  readonly reason: string;
}

/** Maximum number of failure reasons shown, most frequent first. */
const MAX_REASONS = 50;

/** Reads the results of campaigns. */
@Injectable()
export class ReportRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns a page of the recipients of a campaign, in the order in which their deliveries were created. */
  async findDeliveries(
    campaignId: number,
    { limit = LIST_LIMIT, cursor, state }: DeliveryQueryDto,
  ): Promise<Page<DeliveryDto>> {
    const after = cursor ? decodeCursor(cursor, ['bigint'])[0] : 0;
    const rows = await this.findDeliveriesAfter(campaignId, after, limit + 1, state);
    let count = query<Tables>(this.em)
      .selectFrom('deliveries')
      .select(sql<number>`count(*)::int`.as('total'))
      .where('campaign_id', '=', campaignId);
    if (state) count = count.where('state', '=', state);
    const { total } = await count.executeTakeFirstOrThrow();
    return toPage(rows, limit, total, ({ id }) => [id]);
  }

  /** Streams all recipients of a campaign for an export in batches, so that memory use stays constant. */
  async *streamDeliveries(campaignId: number): AsyncGenerator<DeliveryDto> {
    for (let after = 0; ;) {
      const rows = await this.findDeliveriesAfter(campaignId, after, LIST_LIMIT);
      yield* rows;
      if (rows.length < LIST_LIMIT) return;
      after = rows.at(-1)!.id;
    }
  }

  /** Counts failed emails, and emails waiting because the server rejects the sender, by response. */
  countFailures(campaignId: number): Promise<FailureDto[]> {
    return query<Tables>(this.em)
      .selectFrom('deliveries')
      .select(['smtp_code as smtpCode', 'fault', sql<string>`coalesce(reason, '')`.as('reason')])
      .select(sql<number>`count(*)::int`.as('count'))
      .where('campaign_id', '=', campaignId)
      .where(({ or, and, eb }) =>
        or([eb('state', '=', 'failed'), and([eb('state', '=', 'queued'), eb('fault', 'is not', null)])]),
      )
      .groupBy(['smtp_code', 'fault', 'reason'])
      .orderBy('count', 'desc')
      .limit(MAX_REASONS)
      .execute();
  }

  /**
   * Counts the same emails with the given cause or, if there are none, with the most frequent one.
   * @returns null if there are none at all
   */
  async findRejectionSummary(campaignId: number, bounceCause: BounceCause | null): Promise<RejectionSummary | null> {
    const { rows } = await sql<RejectionSummary>`
      select fault as "bounceCause", count(*)::int as count, coalesce(mode() within group (order by reason), '') as reason from deliveries
      where campaign_id = ${campaignId} and (state = 'failed' or (state = 'queued' and fault is not null))
      group by fault order by (fault = ${bounceCause}) desc nulls last, count(*) desc limit 1`.execute(
      query<Tables>(this.em),
    );
    return rows[0] ?? null;
  }

  /** Counts the clicks on each link, in the order of the email. */
  async countLinkClicks(campaignId: number): Promise<LinkClicksDto[]> {
    const { rows } = await sql<LinkClicksDto>`
      select l.url,
        (count(distinct e.delivery_id)
          filter (where e.verdict <> 'machine' and e.link <> all (coalesce(d.counted_links, '{}')))
          + coalesce(t.recipients, 0))::int as recipients,
        (count(e.id) filter (where e.verdict <> 'machine') + coalesce(t.clicks, 0))::int as clicks
      from campaigns c cross join jsonb_array_elements_text(c.links) with ordinality as l(url, place)
        left join campaign_event_totals t on t.campaign_id = c.id and t.link = l.place - 1
        left join campaign_events e on e.campaign_id = c.id and e.type = 'click' and e.link = l.place - 1
        left join deliveries d on d.id = e.delivery_id
      where c.id = ${campaignId} group by l.url, l.place, t.recipients, t.clicks order by l.place`.execute(
      query<Tables>(this.em),
    );
    return rows;
  }

  /** Counts deliveries and first opens and clicks by hour. */
  async countOverTime(campaignId: number): Promise<CampaignHourDto[]> {
    const { rows } = await sql<CampaignHourDto>`
      select date_trunc('hour', happened.at) as at, sum(delivered)::int as delivered, sum(opens)::int as opens,
        sum(clicks)::int as clicks
      from (
        select sent_at as at, 1 as delivered, 0 as opens, 0 as clicks from deliveries
          where campaign_id = ${campaignId} and sent_at is not null
        union all select opened_at, 0, 1, 0 from deliveries where campaign_id = ${campaignId} and opened_at is not null
        union all select clicked_at, 0, 0, 1 from deliveries where campaign_id = ${campaignId} and clicked_at is not null
      ) as happened group by 1 order by 1 limit ${LIST_LIMIT}`.execute(query<Tables>(this.em));
    return rows;
  }

  /** Counts opens and clicks by programs. */
  async countMachineEvents(campaignId: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select (
        (select count(*) from campaign_events where campaign_id = ${campaignId} and verdict = 'machine')
        + (select coalesce(sum(machine_events), 0) from campaign_event_totals where campaign_id = ${campaignId})
      )::int as count`.execute(query<Tables>(this.em));
    return rows[0]!.count;
  }

  /** Counts the emails of all campaigns by state. Sums counters, because there may be millions of deliveries. */
  async countByState(): Promise<Record<'delivered' | 'kept' | 'failed' | 'skipped' | 'cancelled' | 'pending', number>> {
    const sum = (column: string) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)::bigint`;
    const counts = await query<Tables>(this.em.fork())
      .selectFrom('campaigns')
      .select([
        sum('delivered_count').as('delivered'),
        sum('kept_count').as('kept'),
        sum('failed_count').as('failed'),
        sum('skipped_count').as('skipped'),
        sum('cancelled_count').as('cancelled'),
        sql<number>`coalesce(sum(recipient_count - delivered_count - kept_count - failed_count - skipped_count
          - cancelled_count)
          filter (where status in ('sending', 'paused')), 0)::bigint`.as('pending'),
      ])
      .executeTakeFirstOrThrow();
    return {
      delivered: Number(counts.delivered),
      kept: Number(counts.kept),
      failed: Number(counts.failed),
      skipped: Number(counts.skipped),
      cancelled: Number(counts.cancelled),
      pending: Number(counts.pending),
    };
  }

  private findDeliveriesAfter(
    campaignId: number,
    after: number,
    limit: number,
    state?: DeliveryDto['state'],
  ): Promise<DeliveryDto[]> {
    let rows = query<Tables>(this.em)
      .selectFrom('deliveries as d')
      .leftJoin('users as u', 'u.id', 'd.user_id')
      .select(['d.id as id', 'd.user_id as userId', 'u.email as email'])
      .select(['u.first_name as firstName', 'u.last_name as lastName', 'd.state as state', 'd.attempts as attempts'])
      .select(['d.smtp_code as smtpCode', 'd.reason as reason', 'd.sent_at as sentAt'])
      .select(['d.opened_at as openedAt', 'd.clicked_at as clickedAt'])
      .where('d.campaign_id', '=', campaignId)
      .where('d.id', '>', after)
      .orderBy('d.id')
      .limit(limit);
    if (state) rows = rows.where('d.state', '=', state);
    return rows.execute();
  }
}

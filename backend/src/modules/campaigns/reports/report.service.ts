import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type Page } from '../../../platform/http/lists/list.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { CampaignListService } from '../drafts/campaign-list.service.js';
import type {
  CampaignHourDto,
  CampaignReportDto,
  DeliveryDto,
  DeliveryQueryDto,
  FailureDto,
  LinkClicksDto,
} from '../dto/report.dto.js';
import { CampaignEventSchema } from '../entities/campaign-event.entity.js';
import { CampaignSchema } from '../entities/campaign.entity.js';
import { DeliverySchema } from '../entities/delivery.entity.js';

type Tables = typeof CampaignSchema | typeof DeliverySchema | typeof CampaignEventSchema | typeof UserSchema;

/** Maximum number of failure reasons shown, most frequent first. */
const MAX_REASONS = 50;

/** Provides reports of campaigns. */
@Injectable()
export class ReportService {
  constructor(
    private readonly em: EntityManager,
    private readonly campaigns: CampaignListService,
  ) {}

  /** @throws CAMPAIGN_NOT_FOUND */
  async getReport(campaignId: number): Promise<CampaignReportDto> {
    const campaign = await this.campaigns.getCampaign(campaignId);
    const progress = await this.campaigns.getProgress(campaignId);
    const { name, subject, startedAt, sentAt, trackingEnabled } = campaign;
    return {
      ...progress,
      name,
      subject,
      startedAt,
      sentAt,
      trackingEnabled,
      failures: await this.countFailures(campaignId),
      links: await this.countLinkClicks(campaignId),
      overTime: await this.countOverTime(campaignId),
      machineEvents: await this.countMachineEvents(campaignId),
    };
  }

  /** Lists the recipients in the order in which their deliveries were created. */
  async listDeliveries(
    campaignId: number,
    { limit = LIST_LIMIT, cursor, state }: DeliveryQueryDto,
  ): Promise<Page<DeliveryDto>> {
    const after = cursor ? decodeCursor(cursor, ['bigint'])[0] : 0;
    const rows = await this.selectDeliveriesAfter(campaignId, after, limit + 1, state);
    let count = query<Tables>(this.em)
      .selectFrom('deliveries')
      .select(sql<number>`count(*)::int`.as('total'))
      .where('campaign_id', '=', campaignId);
    if (state) count = count.where('state', '=', state);
    const { total } = await count.executeTakeFirstOrThrow();
    return toPage(rows, limit, total, ({ id }) => [id]);
  }

  /** Streams all recipients for an export in batches, so that memory use stays constant. */
  async *streamDeliveries(campaignId: number): AsyncGenerator<DeliveryDto> {
    for (let after = 0; ;) {
      const rows = await this.selectDeliveriesAfter(campaignId, after, LIST_LIMIT);
      yield* rows;
      if (rows.length < LIST_LIMIT) return;
      after = rows.at(-1)!.id;
    }
  }

  private selectDeliveriesAfter(
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

  /** Counts failed emails, and emails waiting because the server rejects the sender. */
  private countFailures(campaignId: number): Promise<FailureDto[]> {
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

  private async countLinkClicks(campaignId: number): Promise<LinkClicksDto[]> {
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

  private async countOverTime(campaignId: number): Promise<CampaignHourDto[]> {
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

  private async countMachineEvents(campaignId: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select (
        (select count(*) from campaign_events where campaign_id = ${campaignId} and verdict = 'machine')
        + (select coalesce(sum(machine_events), 0) from campaign_event_totals where campaign_id = ${campaignId})
      )::int as count`.execute(query<Tables>(this.em));
    return rows[0]!.count;
  }
}

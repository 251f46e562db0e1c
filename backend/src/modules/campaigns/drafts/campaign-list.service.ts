import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { MailServerHealthService } from '../../../platform/email/mail-server-health.service.js';
import { DeletedZoneSchema } from '../../zones/entities/deleted-zone.entity.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { campaignAbilities } from '../access/campaign.policy.js';
import { campaignErrors } from '../campaigns.errors.js';
import type { CampaignDto, CampaignSummaryDto, SendingProgressDto } from '../dto/campaign.dto.js';
import { CampaignSchema } from '../entities/campaign.entity.js';
import { toPlainText } from '../shared/plain-text.js';

type Tables = typeof CampaignSchema | typeof ZoneSchema | typeof DeletedZoneSchema;

const isLive = sql<boolean>`(z.id is not null and z.deleted_at is null)`;
/** Of a zone that is deleted or being deleted, only campaigns that were sent are shown. */
const isVisible = sql<boolean>`(${isLive} or c.recipient_count > 0)`;

/** Lists campaigns for their owner, with one query per list. */
@Injectable()
export class CampaignListService {
  constructor(
    private readonly em: EntityManager,
    private readonly mail: MailServerHealthService,
  ) {}

  /** Lists the campaigns of all zones of an owner, newest first. */
  listByOwner(ownerId: number, page: ListQueryDto): Promise<Page<CampaignSummaryDto>> {
    return this.list({ column: 'sent_by_id', id: ownerId }, page);
  }

  /** Lists the campaigns of a zone, newest first. */
  listByZone(zoneId: number, page: ListQueryDto): Promise<Page<CampaignSummaryDto>> {
    return this.list({ column: 'zone_id', id: zoneId }, page);
  }

  /**
   * Returns a campaign with its content.
   * @throws CAMPAIGN_NOT_FOUND
   */
  async getCampaign(id: number): Promise<CampaignDto> {
    const row = await this.selectCampaigns()
      .select(['c.html_content as htmlContent', 'c.text_content as textContent'])
      .where('c.id', '=', id)
      .executeTakeFirst();
    if (!row) throw campaignErrors.CAMPAIGN_NOT_FOUND();
    const { htmlContent, textContent, ...summary } = row;
    return { ...toSummary(summary), message: textContent ?? toPlainText(htmlContent).trim(), htmlContent, textContent };
  }

  /**
   * Returns the sending progress, read from a single row.
   * @throws CAMPAIGN_NOT_FOUND
   */
  async getProgress(id: number): Promise<SendingProgressDto> {
    const row = await query<Tables>(this.em)
      .selectFrom('campaigns')
      .select(['id', 'status', 'recipient_count as recipientCount', 'delivered_count as deliveredCount'])
      .select('kept_count as keptCount')
      .select(['failed_count as failedCount', 'skipped_count as skippedCount', 'cancelled_count as cancelledCount'])
      .select(['open_count as openCount', 'click_count as clickCount'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw campaignErrors.CAMPAIGN_NOT_FOUND();
    const isSending = row.status === 'sending' && countPending(row) > 0;
    const { refusingSince } = isSending ? await this.mail.readState() : { refusingSince: null };
    return { ...row, pendingCount: countPending(row), mailServerRefusingSince: refusingSince };
  }

  private async list(
    by: { column: 'sent_by_id' | 'zone_id'; id: number },
    { limit = LIST_LIMIT, cursor }: ListQueryDto,
  ): Promise<Page<CampaignSummaryDto>> {
    const all = this.selectCampaigns().where(`c.${by.column}`, '=', by.id);
    const last = cursor ? cursorTuple(cursor, ['timestamptz', 'bigint']) : null;
    const found = await all
      .where(last ? sql<boolean>`(c.created_at, c.id) < ${last}` : sql<boolean>`true`)
      .orderBy('c.created_at', 'desc')
      .orderBy('c.id', 'desc')
      .limit(limit + 1)
      .execute();
    const { total } = await all
      .clearSelect()
      .select(sql<number>`count(*)::int`.as('total'))
      .executeTakeFirstOrThrow();
    return toPage(found.map(toSummary), limit, total, ({ createdAt, id }) => [createdAt.toISOString(), id]);
  }

  private selectCampaigns() {
    return query<Tables>(this.em)
      .selectFrom('campaigns as c')
      .leftJoin('zones as z', 'z.id', 'c.zone_id')
      .leftJoin('deleted_zones as g', 'g.id', 'c.zone_id')
      .select(['c.id as id', 'c.kind as kind', 'c.name as name', 'c.subject as subject', 'c.status as status'])
      .select(['c.zone_id as zoneId', 'c.target_audience as targetAudience'])
      .select([
        sql<string>`coalesce(z.name, g.name, '')`.as('zoneName'),
        sql<boolean>`not ${isLive}`.as('isZoneDeleted'),
      ])
      .select(['c.tracking_enabled as trackingEnabled', 'c.sent_by_id as sentById', 'c.failure as failure'])
      .select(['c.recipient_count as recipientCount', 'c.delivered_count as deliveredCount'])
      .select('c.kept_count as keptCount')
      .select(['c.failed_count as failedCount', 'c.skipped_count as skippedCount'])
      .select(['c.cancelled_count as cancelledCount', 'c.open_count as openCount', 'c.click_count as clickCount'])
      .select(['c.scheduled_at as scheduledAt', 'c.time_zone as timeZone', 'c.started_at as startedAt'])
      .select(['c.sent_at as sentAt', 'c.created_at as createdAt', 'c.updated_at as updatedAt'])
      .where(isVisible);
  }
}

type Row = Awaited<ReturnType<ReturnType<CampaignListService['selectCampaigns']>['executeTakeFirstOrThrow']>>;
type Counts = Pick<
  Row,
  'recipientCount' | 'deliveredCount' | 'keptCount' | 'failedCount' | 'skippedCount' | 'cancelledCount'
>;

function toSummary(row: Row): CampaignSummaryDto {
  return { ...row, pendingCount: countPending(row), can: campaignAbilities(row) };
}

function countPending(row: Counts): number {
  const ended = row.deliveredCount + row.keptCount + row.failedCount + row.skippedCount + row.cancelledCount;
  return row.recipientCount - ended;
}

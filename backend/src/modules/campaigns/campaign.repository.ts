import { EntityManager } from '@mikro-orm/postgresql';
import type { EntityData, RequiredEntityData } from '@mikro-orm/core';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { cursorTuple } from '../../platform/http/lists/cursor.js';
import { LIST_LIMIT, type ListQueryDto } from '../../platform/http/lists/list.js';
import type { DeletedZoneSchema } from '../zones/entities/deleted-zone.entity.js';
import type { ZoneSchema } from '../zones/entities/zone.entity.js';
import { Campaign, type CampaignSchema } from './entities/campaign.entity.js';
import { lockedCampaignSql } from './shared/campaign.sql.js';

type Tables = typeof CampaignSchema | typeof ZoneSchema | typeof DeletedZoneSchema;

export type CampaignRow = Awaited<
  ReturnType<ReturnType<CampaignRepository['campaignsQuery']>['executeTakeFirstOrThrow']>
>;

const isLive = sql<boolean>`(z.id is not null and z.deleted_at is null)`;
/** Of a zone that is deleted or being deleted, only campaigns that were sent are shown. */
const isVisible = sql<boolean>`(${isLive} or c.recipient_count > 0)`;

/** Rejected campaigns on which the owner has not acted yet. */
const stoppedFilter = {
  status: { $in: ['paused', 'failed'] },
  failure: { $in: ['SENDER_REFUSED', 'READERS_REFUSED', 'ALL_REFUSED'] },
} as const;

/** The content, schedule and status of campaigns. Their counters are changed by `CampaignStateRepository` only. */
@Injectable()
export class CampaignRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async insertCampaign(
    em: EntityManager,
    campaign: Omit<RequiredEntityData<Campaign>, 'createdAt' | 'updatedAt'>,
  ): Promise<Campaign> {
    const now = this.clock.now();
    const inserted = em.create(Campaign, { ...campaign, createdAt: now, updatedAt: now });
    await em.flush();
    return inserted;
  }

  /** Returns the current campaign, locked until the commit. Rows that reference it can still be inserted. */
  async lockCampaign(em: EntityManager, id: number): Promise<Campaign | null> {
    await lockedCampaignSql(id).execute(query<Tables>(em));
    return em.findOne(Campaign, { id }, { refresh: true });
  }

  /** Changes fields of a locked campaign, and writes what was changed in the entity before. */
  async updateCampaign(em: EntityManager, campaign: Campaign, changes: EntityData<Campaign>): Promise<void> {
    em.assign(campaign, changes);
    await em.flush();
  }

  /** Reads a campaign again after statements have changed its row. */
  async reloadCampaign(em: EntityManager, campaign: Campaign): Promise<void> {
    await em.refresh(campaign);
  }

  async removeCampaign(em: EntityManager, campaign: Campaign): Promise<void> {
    em.remove(campaign);
    await em.flush();
  }

  /** Deletes a campaign whose deliveries are deleted. */
  async deleteCampaign(id: number): Promise<void> {
    await query<Tables>(this.em.fork()).deleteFrom('campaigns').where('id', '=', id).execute();
  }

  /** Serialises an owner's new drafts and templates until the commit, so that concurrent ones can't exceed a limit. */
  async lockUnsentContent(em: EntityManager, ownerId: number): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`kept-texts:${ownerId}`}, 0))`.execute(query<Tables>(em));
  }

  async countDrafts(em: EntityManager, ownerId: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from campaigns where sent_by_id = ${ownerId} and status = 'draft'`.execute(
      query<Tables>(em),
    );
    return rows[0]!.count;
  }

  /** Serialises until the commit what creates a campaign of a zone only once. */
  async lockZone(em: EntityManager, zoneId: number): Promise<void> {
    await sql`select id from zones where id = ${zoneId} for no key update`.execute(query<Tables>(em));
  }

  /** Returns a campaign of the zone with one of the digests that was created after an instant. */
  findByDigest(
    em: EntityManager,
    zoneId: number,
    contentDigests: readonly string[],
    createdAfter: Date,
  ): Promise<Campaign | null> {
    return em.findOne(Campaign, {
      zoneId,
      contentDigest: { $in: [...contentDigests] },
      createdAt: { $gt: createdAfter },
    });
  }

  /** Returns the zone's welcome campaign as stored now. */
  findWelcome(em: EntityManager, zoneId: number): Promise<Campaign | null> {
    return em.findOne(Campaign, { zoneId, kind: 'welcome' }, { refresh: true });
  }

  /** Saves the zone's single welcome campaign; concurrent calls don't create a second one. */
  async saveWelcome(
    em: EntityManager,
    { id: zoneId, ownerId }: { id: number; ownerId: number },
    { subject, htmlContent }: { subject: string; htmlContent: string },
  ): Promise<void> {
    await this.lockZone(em, zoneId);
    const known = await this.findWelcome(em, zoneId);
    if (known) await this.updateCampaign(em, known, { subject, htmlContent, updatedAt: this.clock.now() });
    else {
      const welcome = { zoneId, sentById: ownerId, name: subject, subject, htmlContent };
      await this.insertCampaign(em, { ...welcome, kind: 'welcome', status: 'sent' });
    }
  }

  async findZoneId(id: number): Promise<number | null> {
    const row = await query<Tables>(this.em)
      .selectFrom('campaigns')
      .select('zone_id as zoneId')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.zoneId ?? null;
  }

  /** Returns who sent a campaign whose zone is deleted or being deleted; null for any other. */
  async findInDeletedZone(id: number): Promise<{ sentById: number } | null> {
    const row = await query<Tables>(this.em)
      .selectFrom('campaigns as c')
      .leftJoin('zones as z', 'z.id', 'c.zone_id')
      .select('c.sent_by_id as sentById')
      .where('c.id', '=', id)
      .where((where) => where.or([where('z.id', 'is', null), where('z.deleted_at', 'is not', null)]))
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns what is needed to render the emails of a campaign. */
  async findContent(em: EntityManager, id: number) {
    const row = await query<Tables>(em)
      .selectFrom('campaigns')
      .select(['id', 'zone_id as zoneId', 'tracking_enabled as isTracked', 'subject'])
      .select(['html_content as htmlContent', 'text_content as textContent'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns the scheduled campaigns whose time has come. */
  async findDueIds(): Promise<number[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('campaigns')
      .select('id')
      .where('status', '=', 'scheduled')
      .where('scheduled_at', '<=', this.clock.now())
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  async findSchedule(id: number) {
    const row = await query<Tables>(this.em)
      .selectFrom('campaigns')
      .select(['zone_id as zoneId', 'sent_by_id as sentById', 'status', 'scheduled_at as scheduledAt'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns the campaign if it failed. */
  findFailed(id: number): Promise<Campaign | null> {
    return this.em.findOne(Campaign, { id, status: 'failed' });
  }

  /** Returns the campaign if it was rejected and its owner has not resumed or ended it. */
  findStopped(id: number): Promise<Campaign | null> {
    return this.em.findOne(Campaign, { id, ...stoppedFilter });
  }

  /** Returns the campaigns of a zone that are being sent or are paused. */
  async findActiveIds(zoneId: number): Promise<number[]> {
    const rows = await query<Tables>(this.em.fork())
      .selectFrom('campaigns')
      .select('id')
      .where('zone_id', '=', zoneId)
      .where('status', 'in', ['sending', 'paused'])
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Returns all campaigns of a zone. */
  findAllOfZone(zoneId: number): Promise<{ id: number; recipientCount: number }[]> {
    return query<Tables>(this.em.fork())
      .selectFrom('campaigns')
      .select(['id', 'recipient_count as recipientCount'])
      .where('zone_id', '=', zoneId)
      .execute();
  }

  /** Returns all campaigns of an owner, and whether the row of their zone still exists. */
  async findAllOfOwner(ownerId: number): Promise<{ id: number; hasZone: boolean }[]> {
    const { rows } = await sql<{ id: string; hasZone: boolean }>`
      select c.id, exists (select from zones z where z.id = c.zone_id) as "hasZone" from campaigns c
      where c.sent_by_id = ${ownerId}`.execute(query<Tables>(this.em.fork()));
    return rows.map(({ id, hasZone }) => ({ id: Number(id), hasZone }));
  }

  /** Returns a campaign with its content; null if it isn't shown. */
  async findCampaign(id: number) {
    const row = await this.campaignsQuery()
      .select(['c.html_content as htmlContent', 'c.text_content as textContent'])
      .where('c.id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  }

  async findProgress(id: number) {
    const row = await query<Tables>(this.em)
      .selectFrom('campaigns')
      .select(['id', 'status', 'recipient_count as recipientCount', 'delivered_count as deliveredCount'])
      .select('kept_count as keptCount')
      .select(['failed_count as failedCount', 'skipped_count as skippedCount', 'cancelled_count as cancelledCount'])
      .select(['open_count as openCount', 'click_count as clickCount'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns up to `limit + 1` campaigns of an owner or a zone from the cursor on, newest first, and the number of all. */
  async findPage(
    of: { ownerId: number } | { zoneId: number },
    { limit = LIST_LIMIT, cursor }: ListQueryDto,
  ): Promise<{ rows: CampaignRow[]; limit: number; total: number }> {
    const all =
      'ownerId' in of
        ? this.campaignsQuery().where('c.sent_by_id', '=', of.ownerId)
        : this.campaignsQuery().where('c.zone_id', '=', of.zoneId);
    const last = cursor ? cursorTuple(cursor, ['timestamptz', 'bigint']) : null;
    const rows = await all
      .where(last ? sql<boolean>`(c.created_at, c.id) < ${last}` : sql<boolean>`true`)
      .orderBy('c.created_at', 'desc')
      .orderBy('c.id', 'desc')
      .limit(limit + 1)
      .execute();
    const { total } = await all
      .clearSelect()
      .select(sql<number>`count(*)::int`.as('total'))
      .executeTakeFirstOrThrow();
    return { rows, limit, total };
  }

  private campaignsQuery() {
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

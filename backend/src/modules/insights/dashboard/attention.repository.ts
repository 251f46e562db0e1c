import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { AttentionDto } from '../dto/dashboard.dto.js';

/** Older failures no longer need attention. */
const ATTENTION_WINDOW = 14 * DAY;
/** Maximum number of entries per kind. */
const MAX_ATTENTION_ENTRIES = 10;

/**
 * SQL condition on `campaigns c`: paused because mail servers reject it. Such a campaign waits for its owner
 * indefinitely, even if none of its emails has failed.
 */
const isPausedByFailureSql = sql<boolean>`(c.status = 'paused' and c.failure is not null)`;

/** What owners must act on. */
@Injectable()
export class AttentionRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns what the owner must act on: join requests, purchases that wait for room in the plan or could not be
   * processed, campaigns that were not sent or were paused automatically, and emails that were not delivered. Plan
   * limits are shown with the plan instead.
   */
  async listAttention(ownerId: number): Promise<AttentionDto[]> {
    const since = addMilliseconds(this.clock.now(), -ATTENTION_WINDOW);
    const { rows } = await sql<AttentionDto>`
      with owned as (select id, name from zones where owner_id = ${ownerId} and deleted_at is null),
      requests as (
        select 1 as place, 'join_requests' as kind, count(*)::int as count, r.zone_id, null::bigint as campaign_id,
          null as campaign_name, max(r.created_at) as at
        from join_requests r where r.zone_id in (select id from owned) and r.declined_at is null group by r.zone_id order by at desc limit ${MAX_ATTENTION_ENTRIES}
      ), orders as (
        select 2, 'waiting_orders', count(*)::int, e.zone_id, null::bigint, null, max(e.created_at) as at
        from entitlements e where e.state = 'waiting' and e.zone_id in (select id from owned)
        group by e.zone_id order by at desc limit ${MAX_ATTENTION_ENTRIES}
      ), failures as (
        select 3, 'failed_orders', count(*)::int, t.zone_id, null::bigint, null, max(t.since) as at
        from order_troubles t
        where t.resolved_at is null and t.kind = 'failed' and t.since >= ${since} and t.zone_id in (select id from owned)
        group by t.zone_id order by at desc limit ${MAX_ATTENTION_ENTRIES}
      ), campaigns as (
        select 4, case when c.status = 'failed' then 'failed_campaign' when ${isPausedByFailureSql} then 'paused_campaign' else 'failed_mails' end,
          case when c.status = 'failed' or ${isPausedByFailureSql} then 1 else c.failed_count end, c.zone_id, c.id, c.subject,
          coalesce(c.sent_at, c.started_at, c.updated_at) as at
        from campaigns c
        where c.sent_by_id = ${ownerId} and c.kind = 'campaign' and (c.status = 'failed' or ${isPausedByFailureSql} or c.failed_count > 0)
          and (${isPausedByFailureSql} or c.updated_at >= ${since}) and c.zone_id in (select id from owned)
        order by at desc limit ${MAX_ATTENTION_ENTRIES}
      )
      select w.kind, w.count, w.zone_id as "zoneId", z.name as "zoneName", w.campaign_id as "campaignId",
        w.campaign_name as "campaignName"
      from (select * from requests union all select * from orders union all select * from failures union all select * from campaigns) w
      join owned z on z.id = w.zone_id
      order by w.place, w.at desc`.execute(query(this.em));
    return rows;
  }
}

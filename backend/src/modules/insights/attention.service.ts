import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import type { AttentionDto } from './dto/dashboard.dto.js';

/** What failed longer ago than this is history. */
const FRESH = 14 * DAY;
/** Entries of each kind at most. */
const MOST = 10;

/** What waits for an owner to do something about it. Limits of the plan are told where the plan is. */
@Injectable()
export class AttentionService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Join requests, purchases that found no place, campaigns that did not go out, and mails that did not arrive. */
  async of(ownerId: number): Promise<AttentionDto[]> {
    const since = after(this.clock.now(), -FRESH);
    const { rows } = await sql<AttentionDto>`
      with owned as (select id, name from zones where owner_id = ${ownerId} and deleted_at is null),
      requests as (
        select 1 as place, 'join_requests' as kind, count(*)::int as count, r.zone_id, null::bigint as campaign_id,
          null as campaign_name, max(r.created_at) as at
        from join_requests r where r.zone_id in (select id from owned) group by r.zone_id order by at desc limit ${MOST}
      ), orders as (
        select 2, 'waiting_orders', count(*)::int, e.zone_id, null::bigint, null, max(e.created_at) as at
        from entitlements e where e.state = 'waiting' and e.zone_id in (select id from owned)
        group by e.zone_id order by at desc limit ${MOST}
      ), campaigns as (
        select 3, case when c.status = 'failed' then 'failed_campaign' else 'failed_mails' end,
          case when c.status = 'failed' then 1 else c.failed_count end, c.zone_id, c.id, c.subject,
          coalesce(c.sent_at, c.started_at, c.updated_at) as at
        from campaigns c
        where c.sent_by_id = ${ownerId} and c.kind = 'campaign' and (c.status = 'failed' or c.failed_count > 0)
          and c.updated_at >= ${since} and c.zone_id in (select id from owned)
        order by at desc limit ${MOST}
      )
      select w.kind, w.count, w.zone_id as "zoneId", z.name as "zoneName", w.campaign_id as "campaignId",
        w.campaign_name as "campaignName"
      from (select * from requests union all select * from orders union all select * from campaigns) w
      join owned z on z.id = w.zone_id
      order by w.place, w.at desc`.execute(this.em.getKysely());
    return rows;
  }
}

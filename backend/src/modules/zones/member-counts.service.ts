import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../platform/database/query.js';
import { UsageService } from '../plans/usage.service.js';
import { AudienceService, type AudiencePerson } from './audience.service.js';
import { ZoneStatsSchema } from './entities/zone-stats.entity.js';
import type { MembershipZone } from './membership.port.js';

/**
 * What is counted when people come into a zone and go: the owner's audience, the figure of the zone and, last, what the
 * owner uses of the plan. Always in this order, so that transactions wait for each other and do not deadlock; call it
 * last, because the rows stay locked until the commit.
 */
@Injectable()
export class MemberCounts {
  constructor(
    private readonly audience: AudienceService,
    private readonly usage: UsageService,
  ) {}

  /**
   * Counts people in by one statement: its rows are those that many wait for.
   * @param record what else is written in the same round trip
   * @throws PLAN_LIMIT of the owner
   */
  async add(
    em: EntityManager,
    zone: MembershipZone,
    people: readonly AudiencePerson[],
    record: RawBuilder<unknown> = sql`select`,
  ): Promise<void> {
    await this.usage.takeCounted(
      em,
      { ownerId: zone.ownerId, metric: 'people' },
      sql`recorded as (${record}),
        added as (${this.audience.adding(zone.ownerId, people)}),
        fresh as (select count(*) filter (where counted = 1) as people from added),
        moved as (
          update zone_stats set members = members + ${people.length} from fresh where zone_id = ${zone.id}
          returning fresh.people
        ),
        counted as (select people as amount from moved)`,
    );
  }

  async remove(em: EntityManager, zone: MembershipZone, emails: readonly string[]): Promise<void> {
    const gone = await this.audience.remove(em, zone.ownerId, emails);
    await query<typeof ZoneStatsSchema>(em)
      .updateTable('zone_stats')
      .set({ members: sql<number>`members - ${emails.length}` })
      .where('zone_id', '=', zone.id)
      .execute();
    if (gone > 0) await this.usage.give(em, zone.ownerId, 'people', gone);
  }
}

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

  /** @throws PLAN_LIMIT of the owner */
  async add(em: EntityManager, zone: MembershipZone, people: readonly AudiencePerson[]): Promise<void> {
    const fresh = await this.audience.add(em, zone.ownerId, people);
    const counting = this.moving(zone.id, people.length);
    if (fresh === 0) await counting.execute(query<typeof ZoneStatsSchema>(em));
    else await this.usage.takeAfter(em, zone.ownerId, 'people', fresh, counting);
  }

  async remove(em: EntityManager, zone: MembershipZone, emails: readonly string[]): Promise<void> {
    const gone = await this.audience.remove(em, zone.ownerId, emails);
    await this.moving(zone.id, -emails.length).execute(query<typeof ZoneStatsSchema>(em));
    if (gone > 0) await this.usage.give(em, zone.ownerId, 'people', gone);
  }

  private moving(zoneId: number, by: number): RawBuilder<unknown> {
    return sql`update zone_stats set members = members + ${by} where zone_id = ${zoneId} returning zone_id`;
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import type { AudienceSchema } from '../zones/entities/audience.entity.js';
import type { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import type { ZoneSchema } from '../zones/entities/zone.entity.js';

type Tables = typeof ZoneSchema | typeof ZoneStatsSchema | typeof AudienceSchema;

/** Counts creators, files and people of the whole installation. */
@Injectable()
export class SiteCountsRepository {
  constructor(private readonly em: EntityManager) {}

  async countAll(): Promise<{ creators: number; files: number; people: number }> {
    const db = query<Tables>(this.em.fork());
    const live = db
      .selectFrom('zones as z')
      .innerJoin('zone_stats as s', 's.zone_id', 'z.id')
      .where('z.deleted_at', 'is', null)
      .select([
        sql<number>`count(distinct z.owner_id)`.as('creators'),
        sql<number>`coalesce(sum(s.files), 0)::bigint`.as('files'),
      ])
      .executeTakeFirstOrThrow();
    const people = db
      .selectFrom(db.selectFrom('audience').select('email_key').distinct().where('zones', '>', 0).as('p'))
      .select(sql<number>`count(*)`.as('people'))
      .executeTakeFirstOrThrow();
    // Awaited together: with separate awaits, a second rejection would be unhandled and end the process.
    const [ofZones, ofPeople] = await Promise.all([live, people]);
    return { ...ofZones, ...ofPeople };
  }
}

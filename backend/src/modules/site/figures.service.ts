import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, MINUTE } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { query } from '../../platform/database/query.js';
import { AudienceSchema } from '../zones/entities/audience.entity.js';
import { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import type { FiguresDto } from './dto/site.dto.js';

type Tables = typeof ZoneSchema | typeof ZoneStatsSchema | typeof AudienceSchema;

/** Everybody may ask, so everybody is given the same answer for this long, in milliseconds. */
const FRESH = 10 * MINUTE;

/** The public counts of this installation. */
@Injectable()
export class FiguresService {
  private counted: { until: Date; figures: Promise<FiguresDto> } | null = null;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** The counts, each null below LANDING_MIN_COUNT; up to ten minutes old. Callers at once share one count. */
  async figures(): Promise<FiguresDto> {
    const now = this.clock.now();
    if (!this.counted || this.counted.until <= now) {
      this.counted = { until: after(now, FRESH), figures: this.count() };
    }
    try {
      return await this.counted.figures;
    } catch (error) {
      this.counted = null;
      throw error;
    }
  }

  private async count(): Promise<FiguresDto> {
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
    const counts = { ...(await live), ...(await people) };
    return {
      creators: this.shown(counts.creators),
      files: this.shown(counts.files),
      people: this.shown(counts.people),
    };
  }

  private shown(count: number): number | null {
    return count < this.config.landingMinCount ? null : count;
  }
}

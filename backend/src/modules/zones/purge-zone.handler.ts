import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { ZoneSchema } from './entities/zone.entity.js';
import { purgeZone } from './purge-zone.job.js';
import { ZonePurgePort } from './zone-purge.port.js';

/** What modules keep apart (objects in the storage) goes first; the row and what hangs on it last. */
@Injectable()
@JobHandler(purgeZone)
export class PurgeZoneHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly port: ZonePurgePort,
  ) {}

  async handle({ zoneId }: { zoneId: number }): Promise<void> {
    const zones = query<typeof ZoneSchema>(this.em);
    const zone = await zones
      .selectFrom('zones')
      .select('owner_id')
      .where('id', '=', zoneId)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst();
    if (!zone) return;
    await this.port.purge(zoneId, zone.owner_id);
    await zones.deleteFrom('zones').where('id', '=', zoneId).where('deleted_at', 'is not', null).execute();
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { DeletedZoneSchema } from '../entities/deleted-zone.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';
import { purgeZone } from '../zones.jobs.js';

@Injectable()
export class ZonePurger {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventBus,
  ) {}

  /**
   * First lets modules delete what they store outside the zone's rows, such as storage objects. Then deletes the row
   * and its dependents. The name is kept for consents, unsubscribes, leave records and reports.
   */
  @OnJob(purgeZone)
  async purgeZone({ zoneId }: { zoneId: number }): Promise<void> {
    const zones = query<typeof ZoneSchema>(this.em);
    const zone = await zones
      .selectFrom('zones')
      .select('owner_id')
      .where('id', '=', zoneId)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst();
    if (!zone) return;
    await this.events.emit(this.em, 'zone.purging', { zoneId, ownerId: zone.owner_id });
    await sql`
      with deleted as (delete from zones where id = ${zoneId} and deleted_at is not null returning id, name, owner_id, deleted_at)
      insert into deleted_zones (id, name, owner_id, deleted_at) select id, name, owner_id, deleted_at from deleted`.execute(
      query<typeof DeletedZoneSchema>(this.em),
    );
  }
}

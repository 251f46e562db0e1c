import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { EventBus } from '../../../platform/events/event-bus.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { purgeZone } from '../zones.jobs.js';
import { ZoneRepository } from './zone.repository.js';

@Injectable()
export class ZonePurger {
  constructor(
    private readonly em: EntityManager,
    private readonly zones: ZoneRepository,
    private readonly events: EventBus,
  ) {}

  /**
   * First lets modules delete what they store outside the zone's rows, such as storage objects. Then deletes the row
   * and its dependents.
   */
  @OnJob(purgeZone)
  async purgeZone({ zoneId }: { zoneId: number }): Promise<void> {
    const ownerId = await this.zones.findOwnerOfDeletedZone(zoneId);
    if (ownerId === null) return;
    await this.events.emit(this.em, 'zone.purging', { zoneId, ownerId });
    await this.zones.purgeZone(zoneId);
  }
}

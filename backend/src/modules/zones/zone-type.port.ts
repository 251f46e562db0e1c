import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ZoneType } from './entities/zone.entity.js';

/** What a module does when a zone becomes private or public, in the transaction in which that happens. */
export type ZoneTypeObserver = (
  em: EntityManager,
  change: { zoneId: number; type: ZoneType; actorId: number },
) => Promise<void>;

/** Where modules whose work depends on the type of a zone (its links) ask to be told. */
@Injectable()
export class ZoneTypePort {
  private readonly observers: ZoneTypeObserver[] = [];

  /** Called once by each module when it starts. */
  register(observer: ZoneTypeObserver): void {
    this.observers.push(observer);
  }

  async changed(em: EntityManager, change: Parameters<ZoneTypeObserver>[1]): Promise<void> {
    for (const observer of this.observers) await observer(em, change);
  }
}

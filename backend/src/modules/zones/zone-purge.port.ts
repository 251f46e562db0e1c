import { Injectable } from '@nestjs/common';

/** Removes what a module keeps of a zone, in steps of its own; called again after a crash until it ends. */
export type ZonePurger = (zoneId: number, ownerId: number) => Promise<void>;

/** Where modules that keep more of a zone than rows that go with it ask to be called when a deleted zone is purged. */
@Injectable()
export class ZonePurgePort {
  private readonly purgers: ZonePurger[] = [];

  /** Called once by each module when it starts. */
  register(purger: ZonePurger): void {
    this.purgers.push(purger);
  }

  async purge(zoneId: number, ownerId: number): Promise<void> {
    for (const purger of this.purgers) await purger(zoneId, ownerId);
  }
}

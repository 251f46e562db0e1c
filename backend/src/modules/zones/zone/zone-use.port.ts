import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Sentence } from '../../../platform/errors/app-error.js';

/** A module through which people get into zones by what they pay elsewhere. */
export interface ZoneUseSource {
  /** What opens a zone, worded as part of a list: "2 products of the shop". Empty where nothing does. */
  findZoneUses(em: EntityManager, zoneId: number): Promise<readonly Sentence[]>;
}

/** Lets modules that open zones (integrations) say so before a zone is deleted. */
@Injectable()
export class ZoneUsePort {
  private readonly sources: ZoneUseSource[] = [];

  /** Called once by each module when it starts. */
  register(source: ZoneUseSource): void {
    this.sources.push(source);
  }

  /** All that opens a zone, as one phrase in each language; null where nothing does. */
  async describeUses(em: EntityManager, zoneId: number): Promise<Sentence | null> {
    const uses: Sentence[] = [];
    for (const source of this.sources) uses.push(...(await source.findZoneUses(em, zoneId)));
    if (uses.length === 0) return null;
    return { en: uses.map(({ en }) => en).join(', '), tr: uses.map(({ tr }) => tr).join(', ') };
  }
}

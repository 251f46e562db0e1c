import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { LocalizedText } from '../../../platform/errors/app-error.js';

/** A module through which people get access to zones by purchases elsewhere. */
export interface ZoneUseSource {
  /**
   * Describes what gives access to a zone, worded as part of a list: "2 products of the shop". Empty if nothing does.
   */
  findZoneUses(em: EntityManager, zoneId: number): Promise<readonly LocalizedText[]>;
}

/** Lets modules that give access to zones (integrations) report it before a zone is deleted. */
@Injectable()
export class ZoneUsePort {
  private readonly sources: ZoneUseSource[] = [];

  /** Called once by each module at startup. */
  register(source: ZoneUseSource): void {
    this.sources.push(source);
  }

  /** Describes everything that gives access to a zone, in each language; null if nothing does. */
  async describeUses(em: EntityManager, zoneId: number): Promise<LocalizedText | null> {
    const uses: LocalizedText[] = [];
    for (const source of this.sources) uses.push(...(await source.findZoneUses(em, zoneId)));
    if (uses.length === 0) return null;
    return { en: uses.map(({ en }) => en).join(', '), tr: uses.map(({ tr }) => tr).join(', ') };
  }
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import { MAX_DEPTH } from '../access/file.policy.js';

export interface ContentChange {
  readonly zoneId: number;
  /** The zone from which items were moved. */
  readonly sourceZoneId?: number;
  /** Folders whose direct content changed; null is the root. */
  readonly folderIds: readonly (number | null)[];
  /** Folders that were added or removed together with everything in them. */
  readonly subtreeIds?: readonly number[];
  readonly at: Date;
}

/** Records when the content of zones changed. */
@Injectable()
export class ContentChangeRepository {
  constructor(private readonly zoneStats: ZoneStatsRepository) {}

  /**
   * Marks the content of a zone as changed, and that of all zones that mirror an affected folder. Must be called at the
   * end of the transaction, right before the update of the zone's counters.
   */
  async markContentChanged(em: EntityManager, change: ContentChange): Promise<void> {
    const { zoneId, sourceZoneId = zoneId, folderIds, subtreeIds = [], at } = change;
    const changedIds = [...new Set([...folderIds, ...subtreeIds])].filter((id) => id !== null);
    const zones = sql`
      with recursive above as (
        select id, parent_id, 1 as level from folders where id = any(${changedIds}::bigint[])
        union
        select p.id, p.parent_id, a.level + 1 from above a join folders p on p.id = a.parent_id where a.level < ${MAX_DEPTH}
      ), below as (
        select id, 1 as level from folders where id = any(${[...subtreeIds]}::bigint[])
        union
        select f.id, b.level + 1 from below b join folders f on f.parent_id = b.id where b.level < ${MAX_DEPTH}
      )
      select unnest(array[${zoneId}, ${sourceZoneId}]::bigint[])
      union
      select target_zone_id from folder_mirrors
      where is_active and source_folder_id in (select id from above union select id from below)`;
    await this.zoneStats.recordContentChange(em, zones, at);
  }
}

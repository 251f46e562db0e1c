import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { violatesUnique } from '../../platform/database/unique-violation.js';
import { ActivityService } from '../activity/activity.service.js';
import { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import { FolderSchema } from './entities/folder.entity.js';
import type { ViewedFolder } from './file-access.service.js';
import { cleanName, nameKey } from './file-name.js';
import { depthOf, insertFolder, lockZone } from './file-placement.js';
import { MAX_DEPTH } from './file.policy.js';
import { fileErrors } from './files.errors.js';
import type { Place } from './folder-places.service.js';

type Tables = typeof FolderSchema | typeof ZoneStatsSchema;

/** Making and renaming folders. Every change of a zone's tree holds the lock of the zone. */
@Injectable()
export class FolderService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly activity: ActivityService,
  ) {}

  /**
   * Makes a folder in a place that can be written to.
   * @returns its id
   * @throws INVALID_NAME, DUPLICATE_NAMES, FOLDER_TOO_DEEP, FOLDER_NOT_FOUND
   */
  async create({ zoneId, ownerId, folderId }: Place, userId: number, rawName: string): Promise<number> {
    const name = cleanName(rawName, 'name');
    return inTransaction(this.em, async (em) => {
      const zoneName = await lockZone(em, zoneId, 'tree');
      const depth = await depthOf(em, zoneId, folderId);
      if (depth >= MAX_DEPTH) throw fileErrors.FOLDER_TOO_DEEP({ allowed: MAX_DEPTH });
      const at = this.clock.now();
      const id = await insertFolder(em, { name, zoneId, parentId: folderId, createdById: userId, at });
      const params = { zoneName, folderName: name };
      await this.activity.record(em, { type: 'folder.created', ownerId, zoneId, userId, params });
      await query<Tables>(em)
        .updateTable('zone_stats')
        .set({ folders: sql<number>`folders + 1` })
        .where('zone_id', '=', zoneId)
        .execute();
      return id;
    });
  }

  /** @throws INVALID_NAME, DUPLICATE_NAMES, FOLDER_NOT_FOUND */
  async rename(folder: ViewedFolder, userId: number, rawName: string): Promise<void> {
    const name = cleanName(rawName, 'name');
    const { id, zoneId, ownerId, name: before } = folder;
    if (name === before) return;
    try {
      await inTransaction(this.em, async (em) => {
        const zoneName = await lockZone(em, zoneId, 'tree');
        const updated = await query<Tables>(em)
          .updateTable('folders')
          .set({ name, name_key: nameKey(name), updated_at: this.clock.now() })
          .where('id', '=', id)
          .where('trashed_at', 'is', null)
          .executeTakeFirst();
        if (updated.numUpdatedRows === 0n) throw fileErrors.FOLDER_NOT_FOUND();
        const params = { zoneName, folderName: name, before };
        await this.activity.record(em, { type: 'folder.renamed', ownerId, zoneId, userId, params });
      });
    } catch (error) {
      if (violatesUnique(error, 'folders_zone_id_parent_id_name_key_unique')) {
        throw fileErrors.DUPLICATE_NAMES({}, { names: [name] });
      }
      throw error;
    }
  }
}

import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { violatesUnique } from '../../platform/database/unique-violation.js';
import { ActivityService } from '../activity/activity.service.js';
import { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import { FileSchema } from './entities/file.entity.js';
import { FolderSchema } from './entities/folder.entity.js';
import type { ViewedFolder } from './file-access.service.js';
import { cleanName, nameKey } from './file-name.js';
import { depthOf, insertFolder, lockZone } from './file-placement.js';
import { MAX_DEPTH } from './file.policy.js';
import { fileErrors } from './files.errors.js';
import { FolderMounts } from './folder-mounts.service.js';
import type { Place } from './folder-places.service.js';

type Tables = typeof FolderSchema | typeof FileSchema | typeof ZoneStatsSchema;

/** Making, renaming and deleting folders. Every change of a zone's tree holds the lock of the zone. */
@Injectable()
export class FolderService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly activity: ActivityService,
    private readonly mounts: FolderMounts,
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
      await this.count(em, zoneId, { folders: 1, files: 0 });
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

  /**
   * Puts a folder with all that is in it into the trash of the zone. A mirror is taken away instead: it holds nothing.
   * @throws FOLDER_NOT_FOUND when somebody else was faster
   */
  async trash(folder: ViewedFolder, userId: number): Promise<void> {
    if (folder.isMirror) {
      if (!(await this.mounts.remove(folder, userId))) throw fileErrors.FOLDER_NOT_FOUND();
      return;
    }
    const { id, zoneId, ownerId, name } = folder;
    await inTransaction(this.em, async (em) => {
      const zoneName = await lockZone(em, zoneId, 'tree');
      const params = { zoneName, folderName: name };
      const { folders, files } = await this.markTree(em, id);
      if (folders === 0) throw fileErrors.FOLDER_NOT_FOUND();
      await this.count(em, zoneId, { folders: -folders, files: -files });
      await this.activity.record(em, { type: 'folder.deleted', ownerId, zoneId, userId, params });
    });
  }

  /** Marks everything below with one trash id; what was in the trash before keeps its own. */
  private async markTree(em: EntityManager, id: number): Promise<{ folders: number; files: number }> {
    const [now, trashId] = [this.clock.now(), randomUUID()];
    const result = await sql<{ folders: number; files: number }>`
      with recursive below as (
        select id from folders where id = ${id} and trashed_at is null
        union all
        select f.id from below b join folders f on f.parent_id = b.id where f.trashed_at is null
      ), marked_folders as (
        update folders set trashed_at = ${now}, trash_id = ${trashId}::uuid
        where id in (select id from below) returning 1
      ), marked_files as (
        update files set trashed_at = ${now}, trash_id = ${trashId}::uuid
        where folder_id in (select id from below) and trashed_at is null returning 1
      )
      select (select count(*) from marked_folders) as folders, (select count(*) from marked_files) as files`.execute(
      query<Tables>(em),
    );
    return { folders: Number(result.rows[0]!.folders), files: Number(result.rows[0]!.files) };
  }

  private async count(em: EntityManager, zoneId: number, change: { folders: number; files: number }): Promise<void> {
    await query<Tables>(em)
      .updateTable('zone_stats')
      .set({ folders: sql<number>`folders + ${change.folders}`, files: sql<number>`files + ${change.files}` })
      .where('zone_id', '=', zoneId)
      .execute();
  }
}

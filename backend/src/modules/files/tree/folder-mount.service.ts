import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ContentChangeRepository } from '../shared/content-change.repository.js';
import { FolderMirrorSchema } from '../entities/folder-mirror.entity.js';
import { FolderSchema } from '../entities/folder.entity.js';
import { normaliseName } from '../shared/file-name.js';
import { insertFolder, lockZone } from '../shared/file-placement.js';
import { fileErrors } from '../files.errors.js';

type Tables = typeof FolderSchema | typeof FolderMirrorSchema;

/** Source and target of a mirror. */
export interface MirrorEndpoints {
  readonly sourceFolderId: number;
  readonly sourceZoneId: number;
  readonly targetZoneId: number;
}

/**
 * Manages the mount folders of mirrors: empty folders at the root of the target zone, not counted among its folders. A
 * database trigger deletes the mount folder whenever its mirror is deleted.
 */
@Injectable()
export class FolderMountService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly activity: ActivityService,
    private readonly contentChanges: ContentChangeRepository,
  ) {}

  /**
   * Blocks other changes to both trees until the commit, so that the source can't be moved. Must be called first in the
   * transaction.
   * @returns the current names, for the activity log
   * @throws ZONE_NOT_FOUND; FOLDER_NOT_FOUND if the source is not, or no longer, in its zone, or is itself a mount
   */
  async lockZones(em: EntityManager, { sourceFolderId, sourceZoneId, targetZoneId }: MirrorEndpoints) {
    // Lock the lower id first. Otherwise two mirrors in opposite directions could deadlock.
    const names = new Map<number, string>();
    for (const zoneId of [sourceZoneId, targetZoneId].sort((a, b) => a - b)) {
      names.set(zoneId, await lockZone(em, zoneId, zoneId === targetZoneId ? 'tree' : 'files'));
    }
    const source = await query<Tables>(em)
      .selectFrom('folders as f')
      .leftJoin('folder_mirrors as r', 'r.target_folder_id', 'f.id')
      .select('f.name')
      .where('f.id', '=', sourceFolderId)
      .where('f.zone_id', '=', sourceZoneId)
      .where('f.trashed_at', 'is', null)
      .where('r.id', 'is', null)
      .executeTakeFirst();
    if (!source) throw fileErrors.FOLDER_NOT_FOUND();
    return { sourceFolder: source.name, sourceZone: names.get(sourceZoneId)!, targetZone: names.get(targetZoneId)! };
  }

  /**
   * Creates the mount folder in a locked zone.
   * @param field name of the request field, for the error
   * @returns its id
   * @throws INVALID_NAME, DUPLICATE_NAMES
   */
  createMountFolder(
    em: EntityManager,
    zoneId: number,
    rawName: string,
    field: string,
    userId: number,
  ): Promise<number> {
    const name = normaliseName(rawName, field);
    return insertFolder(em, { name, zoneId, parentId: null, createdById: userId, at: this.clock.now() });
  }

  /**
   * Marks the zone's content as changed after a mirror appears or disappears. Must be called last in the transaction.
   */
  markZoneChanged(em: EntityManager, zoneId: number): Promise<void> {
    return this.contentChanges.markContentChanged(em, { zoneId, folderIds: [null], at: this.clock.now() });
  }

  /**
   * Removes a mirror by its mount folder; the source is not affected. The caller must then call `markZoneChanged` last.
   * @returns false if the mirror was already removed
   */
  removeMirror(mount: { id: number; zoneId: number; ownerId: number }, userId: number): Promise<boolean> {
    const { id, zoneId, ownerId } = mount;
    return inTransaction(this.em, async (em) => {
      const zoneName = await lockZone(em, zoneId, 'tree');
      const folder = await query<Tables>(em)
        .selectFrom('folders')
        .select('name as folderName')
        .where('id', '=', id)
        .executeTakeFirst();
      const deleted = await query<Tables>(em)
        .deleteFrom('folder_mirrors')
        .where('target_folder_id', '=', id)
        .executeTakeFirst();
      if (!folder || deleted.numDeletedRows === 0n) return false;
      const params = { zoneName, ...folder };
      await this.activity.record(em, { type: 'mirror.removed', ownerId, zoneId, userId, params });
      return true;
    });
  }
}

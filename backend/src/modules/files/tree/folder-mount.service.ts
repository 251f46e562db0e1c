import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActivityService } from '../../activity/activity.service.js';
import { markContentChanged } from '../content-changes.js';
import { FolderMirrorSchema } from '../entities/folder-mirror.entity.js';
import { FolderSchema } from '../entities/folder.entity.js';
import { normaliseName } from '../shared/file-name.js';
import { insertFolder, lockZone } from '../shared/file-placement.js';
import { fileErrors } from '../files.errors.js';

type Tables = typeof FolderSchema | typeof FolderMirrorSchema;

/** Where a mirror comes from and where it is shown. */
export interface MirrorEndpoints {
  readonly sourceFolderId: number;
  readonly sourceZoneId: number;
  readonly targetZoneId: number;
}

/**
 * The folder that stands for a mirror: at the root of the target zone, empty, and not counted among its folders. It
 * goes with its mirror, whatever takes the mirror away: the database sees to that.
 */
@Injectable()
export class FolderMountService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly activity: ActivityService,
  ) {}

  /**
   * Keeps other changes out of both trees until the commit, so that the source stays where it is. To be called first
   * in the transaction.
   * @returns names of the moment, for the record
   * @throws ZONE_NOT_FOUND, FOLDER_NOT_FOUND when the source is not (any more) in its zone, or is itself a mount
   */
  async lockZones(em: EntityManager, { sourceFolderId, sourceZoneId, targetZoneId }: MirrorEndpoints) {
    // Always the lower id first: two mirrors in opposite directions would wait for each other otherwise.
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
   * Makes the folder of a mirror, in a zone that is locked.
   * @param field which field of the request holds the name
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

  /** Notes, last in the transaction, that the zone shows something through a mirror, or hides it, since this moment. */
  markZoneChanged(em: EntityManager, zoneId: number): Promise<void> {
    return markContentChanged(em, { zoneId, folderIds: [null], at: this.clock.now() });
  }

  /**
   * Takes a mirror away by its folder; the source stays as it is. The caller notes the change of the zone last.
   * @returns false when somebody else was faster
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

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ContentChangeRepository } from '../shared/content-change.repository.js';
import { normaliseName } from '../shared/file-name.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { ItemTreeRepository } from '../shared/item-tree.repository.js';
import { fileErrors } from '../files.errors.js';

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
    private readonly tree: ItemTreeRepository,
    private readonly placement: ItemPlacementService,
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
      names.set(zoneId, await this.placement.lockZone(em, zoneId, zoneId === targetZoneId ? 'tree' : 'files'));
    }
    const sourceFolder = await this.tree.findOwnFolderName(em, sourceZoneId, sourceFolderId);
    if (sourceFolder === null) throw fileErrors.FOLDER_NOT_FOUND();
    return { sourceFolder, sourceZone: names.get(sourceZoneId)!, targetZone: names.get(targetZoneId)! };
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
    return this.placement.insertFolder(em, { name, zoneId, parentId: null, createdById: userId, at: this.clock.now() });
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
      const zoneName = await this.placement.lockZone(em, zoneId, 'tree');
      const folderName = await this.tree.deleteMirror(em, id);
      if (folderName === null) return false;
      const params = { zoneName, folderName };
      await this.activity.record(em, { type: 'mirror.removed', ownerId, zoneId, userId, params });
      return true;
    });
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import { ContentChangeRepository } from '../shared/content-change.repository.js';
import type { UpdateFileDto } from '../dto/file.dto.js';
import type { AccessibleFile, AccessibleFolder } from '../access/file-access.repository.js';
import type { FolderLocation } from '../access/file-access.service.js';
import { normaliseName, withOriginalExtension } from '../shared/file-name.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { ItemTreeRepository } from '../shared/item-tree.repository.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';

/** Creates folders, and renames and updates files and folders. Every change to a zone's tree holds the zone's lock. */
@Injectable()
export class ItemUpdateService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly tree: ItemTreeRepository,
    private readonly placement: ItemPlacementService,
    private readonly activity: ActivityService,
    private readonly contentChanges: ContentChangeRepository,
    private readonly zoneStats: ZoneStatsRepository,
  ) {}

  /**
   * Creates a folder at a writable location.
   * @returns its id
   * @throws INVALID_NAME, DUPLICATE_NAMES, FOLDER_TOO_DEEP, FOLDER_NOT_FOUND
   */
  async createFolder({ zoneId, ownerId, folderId }: FolderLocation, userId: number, rawName: string): Promise<number> {
    const name = normaliseName(rawName, 'name');
    return inTransaction(this.em, async (em) => {
      const zoneName = await this.placement.lockZone(em, zoneId, 'tree');
      const depth = await this.placement.getFolderDepth(em, zoneId, folderId);
      if (depth >= MAX_DEPTH) throw fileErrors.FOLDER_TOO_DEEP({ allowed: MAX_DEPTH });
      const at = this.clock.now();
      const id = await this.placement.insertFolder(em, { name, zoneId, parentId: folderId, createdById: userId, at });
      const params = { zoneName, folderName: name };
      await this.activity.record(em, { type: 'folder.created', ownerId, zoneId, userId, params });
      await this.contentChanges.markContentChanged(em, { zoneId, folderIds: [folderId], at });
      await this.zoneStats.adjustCounts(em, zoneId, { folders: 1 });
      return id;
    });
  }

  /** @throws INVALID_NAME, DUPLICATE_NAMES, FOLDER_NOT_FOUND */
  async renameFolder(folder: AccessibleFolder, userId: number, rawName: string): Promise<void> {
    const name = normaliseName(rawName, 'name');
    const { id, zoneId, ownerId, name: before } = folder;
    if (name === before) return;
    await inTransaction(this.em, async (em) => {
      const zoneName = await this.placement.lockZone(em, zoneId, 'tree');
      const at = this.clock.now();
      const renamed = await this.tree.renameFolder(em, id, name, at);
      if (renamed === null) throw fileErrors.FOLDER_NOT_FOUND();
      if (renamed === 'taken') throw fileErrors.DUPLICATE_NAMES({}, { names: [name] });
      const params = { zoneName, folderName: name, before };
      await this.activity.record(em, { type: 'folder.renamed', ownerId, zoneId, userId, params });
      await this.contentChanges.markContentChanged(em, { zoneId, folderIds: [renamed.parentId], at });
    });
  }

  /**
   * Sets what members may do with a file; omitted permissions stay unchanged.
   * @throws FILE_NOT_FOUND if the file was deleted in the meantime
   */
  async updatePermissions({ id }: AccessibleFile, permissions: UpdateFileDto): Promise<void> {
    if (!(await this.tree.updatePermissions(id, permissions))) throw fileErrors.FILE_NOT_FOUND();
  }

  /**
   * Renames a file; its extension stays.
   * @throws INVALID_NAME, DUPLICATE_NAMES, FILE_NOT_FOUND
   */
  async renameFile(file: AccessibleFile, userId: number, newName: string): Promise<void> {
    const { id, zoneId, ownerId, originalName: before } = file;
    const fileName = withOriginalExtension(before, newName, 'originalName');
    if (fileName === before) return;
    await inTransaction(this.em, async (em) => {
      const zoneName = await this.placement.lockZone(em, zoneId, 'files');
      const at = this.clock.now();
      const renamed = await this.tree.renameFile(em, id, fileName, at);
      if (renamed === null) throw fileErrors.FILE_NOT_FOUND();
      if (renamed === 'taken') throw fileErrors.DUPLICATE_NAMES({}, { names: [fileName] });
      const params = { zoneName, fileName, before };
      await this.activity.record(em, { type: 'file.renamed', ownerId, zoneId, userId, fileId: id, params });
      await this.contentChanges.markContentChanged(em, { zoneId, folderIds: [renamed.folderId], at });
    });
  }
}

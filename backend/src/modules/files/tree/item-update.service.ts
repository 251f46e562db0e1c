import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { isUniqueViolation } from '../../../platform/database/constraint-violations.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { ActivityService } from '../../activity/activity.service.js';
import { adjustZoneCounts } from '../../zones/zone/zone-counts.service.js';
import { markContentChanged } from '../content-changes.js';
import type { UpdateFileDto } from '../dto/file.dto.js';
import { FileSchema } from '../entities/file.entity.js';
import { FolderSchema } from '../entities/folder.entity.js';
import type { FolderLocation, AccessibleFile, AccessibleFolder } from '../access/file-access.service.js';
import { normaliseName, withOriginalExtension } from '../shared/file-name.js';
import { getFolderDepth, insertFolder, lockZone } from '../shared/file-placement.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';

type Tables = typeof FileSchema | typeof FolderSchema;

/** Creates folders, and renames and updates files and folders. Every change to a zone's tree holds the zone's lock. */
@Injectable()
export class ItemUpdateService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly activity: ActivityService,
  ) {}

  /**
   * Creates a folder at a writable location.
   * @returns its id
   * @throws INVALID_NAME, DUPLICATE_NAMES, FOLDER_TOO_DEEP, FOLDER_NOT_FOUND
   */
  async createFolder({ zoneId, ownerId, folderId }: FolderLocation, userId: number, rawName: string): Promise<number> {
    const name = normaliseName(rawName, 'name');
    return inTransaction(this.em, async (em) => {
      const zoneName = await lockZone(em, zoneId, 'tree');
      const depth = await getFolderDepth(em, zoneId, folderId);
      if (depth >= MAX_DEPTH) throw fileErrors.FOLDER_TOO_DEEP({ allowed: MAX_DEPTH });
      const at = this.clock.now();
      const id = await insertFolder(em, { name, zoneId, parentId: folderId, createdById: userId, at });
      const params = { zoneName, folderName: name };
      await this.activity.record(em, { type: 'folder.created', ownerId, zoneId, userId, params });
      await markContentChanged(em, { zoneId, folderIds: [folderId], at });
      await adjustZoneCounts(em, zoneId, { folders: 1 });
      return id;
    });
  }

  /** @throws INVALID_NAME, DUPLICATE_NAMES, FOLDER_NOT_FOUND */
  async renameFolder(folder: AccessibleFolder, userId: number, rawName: string): Promise<void> {
    const name = normaliseName(rawName, 'name');
    const { id, zoneId, ownerId, name: before } = folder;
    if (name === before) return;
    try {
      await inTransaction(this.em, async (em) => {
        const zoneName = await lockZone(em, zoneId, 'tree');
        const at = this.clock.now();
        const { parentId } = await query<Tables>(em)
          .updateTable('folders')
          .set({ name, name_key: normaliseForComparison(name), updated_at: at })
          .where('id', '=', id)
          .where('trashed_at', 'is', null)
          .returning('parent_id as parentId')
          .executeTakeFirstOrThrow(() => fileErrors.FOLDER_NOT_FOUND());
        const params = { zoneName, folderName: name, before };
        await this.activity.record(em, { type: 'folder.renamed', ownerId, zoneId, userId, params });
        await markContentChanged(em, { zoneId, folderIds: [parentId], at });
      });
    } catch (error) {
      if (isUniqueViolation(error, 'folders_zone_id_parent_id_name_key_unique')) {
        throw fileErrors.DUPLICATE_NAMES({}, { names: [name] });
      }
      throw error;
    }
  }

  /**
   * Sets what members may do with a file; omitted permissions stay unchanged.
   * @throws FILE_NOT_FOUND if the file was deleted in the meantime
   */
  async updatePermissions({ id }: AccessibleFile, { allowDownload, allowText }: UpdateFileDto): Promise<void> {
    const updated = await query<Tables>(this.em)
      .updateTable('files')
      .set({ allow_download: allowDownload, allow_text: allowText, updated_at: this.clock.now() })
      .where('id', '=', id)
      .where('trashed_at', 'is', null)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) throw fileErrors.FILE_NOT_FOUND();
  }

  /**
   * Renames a file; its extension stays.
   * @throws INVALID_NAME, DUPLICATE_NAMES, FILE_NOT_FOUND
   */
  async renameFile(file: AccessibleFile, userId: number, newName: string): Promise<void> {
    const { id, zoneId, ownerId, originalName: before } = file;
    const fileName = withOriginalExtension(before, newName, 'originalName');
    if (fileName === before) return;
    try {
      await inTransaction(this.em, async (em) => {
        const zoneName = await lockZone(em, zoneId, 'files');
        const at = this.clock.now();
        const { folderId } = await query<Tables>(em)
          .updateTable('files')
          .set({ original_name: fileName, name_key: normaliseForComparison(fileName), updated_at: at })
          .where('id', '=', id)
          .where('trashed_at', 'is', null)
          .returning('folder_id as folderId')
          .executeTakeFirstOrThrow(() => fileErrors.FILE_NOT_FOUND());
        const params = { zoneName, fileName, before };
        await this.activity.record(em, { type: 'file.renamed', ownerId, zoneId, userId, fileId: id, params });
        await markContentChanged(em, { zoneId, folderIds: [folderId], at });
      });
    } catch (error) {
      if (isUniqueViolation(error, 'files_zone_id_folder_id_name_key_unique')) {
        throw fileErrors.DUPLICATE_NAMES({}, { names: [fileName] });
      }
      throw error;
    }
  }
}

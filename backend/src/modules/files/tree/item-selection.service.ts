import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { FileAccessService } from '../access/file-access.service.js';
import { fileErrors } from '../files.errors.js';
import { ItemTreeRepository, type SelectedFile, type SelectedFolder } from '../shared/item-tree.repository.js';

/** Files and folders selected by a request. */
export interface ItemIds {
  readonly fileIds: readonly number[];
  readonly folderIds: readonly number[];
}

export interface SelectedItems {
  readonly files: readonly SelectedFile[];
  readonly folders: readonly SelectedFolder[];
}

/** Returns the current parent folders of the selected items; null is the root. */
export function parentFolderIds({ files, folders }: SelectedItems): (number | null)[] {
  return [...files.map(({ folderId }) => folderId), ...folders.map(({ parentId }) => parentId)];
}

/** Resolves the items that a user wants to move or delete: either all of them, or an error that says why not. */
@Injectable()
export class ItemSelectionService {
  constructor(
    private readonly tree: ItemTreeRepository,
    private readonly access: FileAccessService,
  ) {}

  /**
   * Returns the selected rows; the caller must hold the zone's tree lock.
   * @throws NOTHING_CHOSEN; FILE_NOT_FOUND or FOLDER_NOT_FOUND for items that don't exist, are in the trash or are not
   * visible; MIRROR_READ_ONLY for items seen through a mirror; OTHER_ZONE for items the user sees in another zone
   */
  async findSelected(em: EntityManager, zoneId: number, userId: number, items: ItemIds): Promise<SelectedItems> {
    const [fileIds, folderIds] = [[...new Set(items.fileIds)], [...new Set(items.folderIds)]];
    if (fileIds.length + folderIds.length === 0) throw fileErrors.NOTHING_CHOSEN();
    const files = await this.tree.findFiles(em, zoneId, fileIds);
    const folders = await this.tree.findFolders(em, zoneId, folderIds);
    const missingFile = findMissing(fileIds, files);
    if (missingFile !== undefined) await this.throwFileError(missingFile, zoneId, userId);
    const missingFolder = findMissing(folderIds, folders);
    if (missingFolder !== undefined) await this.throwFolderError(missingFolder, zoneId, userId);
    return { files, folders };
  }

  /**
   * Returns the depth of the target folder; 0 for the root (`null`).
   * @throws FOLDER_NOT_FOUND, MIRROR_READ_ONLY, OTHER_ZONE
   */
  async getTargetDepth(zoneId: number, userId: number, folderId: number | null): Promise<number> {
    if (folderId === null) return 0;
    const folder = await this.access.findFolder(folderId, userId, zoneId);
    if (!folder) return this.throwFolderError(folderId, zoneId, userId);
    if (folder.isMirror || folder.mountId !== null) throw fileErrors.MIRROR_READ_ONLY();
    return folder.depth;
  }

  private async throwFileError(id: number, zoneId: number, userId: number): Promise<never> {
    if (await this.access.findFile(id, userId, zoneId)) throw fileErrors.MIRROR_READ_ONLY();
    if (await this.access.findFile(id, userId)) throw fileErrors.OTHER_ZONE();
    throw fileErrors.FILE_NOT_FOUND();
  }

  private async throwFolderError(id: number, zoneId: number, userId: number): Promise<never> {
    if (await this.access.findFolder(id, userId, zoneId)) throw fileErrors.MIRROR_READ_ONLY();
    if (await this.access.findFolder(id, userId)) throw fileErrors.OTHER_ZONE();
    throw fileErrors.FOLDER_NOT_FOUND();
  }
}

function findMissing(ids: readonly number[], rows: readonly { id: number }[]): number | undefined {
  const found = new Set(rows.map(({ id }) => id));
  return ids.find((id) => !found.has(id));
}

import { Injectable } from '@nestjs/common';
import { LIST_LIMIT, toPage, toWindow, type Page } from '../../../platform/http/lists/list.js';
import type { ZoneRole } from '../../zones/entities/zone-member.entity.js';
import type { FileRequestDto } from '../dto/file-request.dto.js';
import type { PositionDto } from '../dto/file.dto.js';
import type {
  FolderDetailDto,
  FolderDto,
  FolderListQueryDto,
  FolderPathDto,
  FolderPositionQueryDto,
} from '../dto/folder.dto.js';
import type { AccessibleFolder } from '../access/file-access.repository.js';
import type { FolderLocation } from '../access/file-access.service.js';
import { folderAbilities } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import { canSend } from '../requests/file-request.policy.js';
import { ItemTreeRepository } from '../shared/item-tree.repository.js';
import { FolderListRepository, type FolderRow, type FolderScope } from './folder-list.repository.js';

/** Lists folders for display, with one query per list. */
@Injectable()
export class FolderListService {
  constructor(
    private readonly folders: FolderListRepository,
    private readonly tree: ItemTreeRepository,
  ) {}

  /** Lists the direct subfolders of a location by name. Mirrors whose source is in the trash are left out. */
  async listFolders(location: FolderLocation, query: FolderListQueryDto): Promise<Page<FolderDto>> {
    const page = await this.readPage(scopeOf(location), query);
    const view = { ...location, parentId: location.folderId, depth: location.depth + 1 };
    return { ...page, items: page.items.map((row) => toFolderDto(row, view)) };
  }

  /**
   * Returns where a folder is among the folders at a location by name.
   * @throws FOLDER_NOT_FOUND if it isn't there
   */
  async findPosition(
    location: FolderLocation,
    { folderId, order = 'asc' }: FolderPositionQueryDto,
  ): Promise<PositionDto> {
    const index = await this.folders.findPosition(scopeOf(location), order, folderId);
    if (index === null) throw fileErrors.FOLDER_NOT_FOUND();
    return { index };
  }

  /** Lists all folders of a zone by name, each with its parent. Mirrors are included, their content is not. */
  async listAllFolders(
    { zoneId, role, viewer }: Pick<FolderLocation, 'zoneId' | 'role' | 'viewer'>,
    query: FolderListQueryDto,
  ): Promise<Page<FolderDto>> {
    const page = await this.readPage({ zoneId, viewer }, query);
    const paths = await this.tree.findFolderPaths(page.items.map(({ id }) => id));
    const items = page.items.map((row) =>
      toFolderDto(row, {
        zoneId,
        role,
        readOnly: false,
        parentId: row.parent_id,
        depth: paths.get(row.id)?.length ?? 1,
      }),
    );
    return { ...page, items };
  }

  /** Returns folders by id, each as seen at the given location; folders that no longer exist are left out. */
  async findVisible(views: ReadonlyMap<number, FolderView>, viewer: number): Promise<Map<number, FolderDto>> {
    if (views.size === 0) return new Map();
    const rows = await this.folders.findByIds([...views.keys()], viewer);
    return new Map(rows.map((row) => [row.id, toFolderDto(row, views.get(row.id)!)]));
  }

  /**
   * Returns a folder with its path, as the viewer sees it.
   * @throws FOLDER_NOT_FOUND if it was deleted in the meantime
   */
  async findOne(folder: AccessibleFolder): Promise<FolderDetailDto> {
    const row = await this.folders.findFolder(folder.id, folder.viewer);
    if (!row) throw fileErrors.FOLDER_NOT_FOUND();
    const path = await this.getPath(folder);
    const readOnly = folder.mountId !== null;
    const at = {
      zoneId: folder.zoneId,
      role: folder.role,
      parentId: path.at(-2)?.id ?? null,
      depth: folder.depth,
      readOnly,
    };
    return { ...toFolderDto(row, at), path };
  }

  private async readPage(
    scope: FolderScope,
    { limit = LIST_LIMIT, cursor, offset, order = 'asc' }: FolderListQueryDto,
  ): Promise<Page<FolderRow>> {
    const keysOf = ({ name, id }: FolderRow) => [name, id];
    if (offset !== undefined) {
      const total = await this.folders.countFolders(scope);
      const rows = await this.folders.listWindow(scope, order, toWindow(offset, limit + 1, total));
      return toPage(rows, limit, total, keysOf);
    }
    const rows = await this.folders.listFolders(scope, { limit: limit + 1, cursor, order });
    const total = cursor || rows.length > limit ? await this.folders.countFolders(scope) : rows.length;
    return toPage(rows, limit, total, keysOf);
  }

  /**
   * Returns the path from the root of the zone in which the folder is seen. A mount replaces its source folder and
   * everything above it.
   */
  private async getPath(folder: AccessibleFolder): Promise<FolderPathDto[]> {
    const rows = await this.folders.findAncestors(folder.id, folder.mountId);
    const mount = rows.find((row) => row.source_id !== null);
    if (!mount) return rows.map(({ id, name }) => ({ id, name }));
    const below = rows.slice(rows.findIndex((row) => row.id === mount.source_id) + 1);
    return [mount, ...below.filter((row) => row !== mount)].map(({ id, name }) => ({ id, name }));
  }
}

/** The folders at a location. A mirror doesn't show the mirrors in its source. */
const scopeOf = ({ contentZoneId, contentFolderId, readOnly, viewer }: FolderLocation): FolderScope => ({
  zoneId: contentZoneId,
  parentId: contentFolderId,
  withoutMirrors: readOnly,
  viewer,
});

/** The location at which a folder is seen. */
export type FolderView = Pick<FolderLocation, 'zoneId' | 'role' | 'readOnly' | 'depth'> & {
  readonly parentId: number | null;
};

function toFolderDto(row: FolderRow, view: FolderView): FolderDto {
  const readOnly = view.readOnly || row.is_mirror;
  return {
    id: row.id,
    name: row.name,
    zoneId: view.zoneId,
    parentId: view.parentId,
    createdById: row.created_by_id,
    fileCount: row.file_count,
    folderCount: row.folder_count,
    isMirror: row.is_mirror,
    readOnly,
    fileRequest: readOnly ? null : toFileRequest(row, view.role),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    can: folderAbilities({ role: view.role, readOnly, isMirror: row.is_mirror && !view.readOnly, depth: view.depth }),
  };
}

/** A folder that is seen through a mirror receives no files there. */
function toFileRequest(row: FolderRow, role: ZoneRole): FileRequestDto | null {
  if (row.is_private === null) return null;
  const terms = { isOpen: row.is_open, maxFilesPerPerson: row.max_files_per_person, sentFiles: row.sent_files };
  return {
    instructions: row.instructions,
    closesAt: row.closes_at,
    isPrivate: row.is_private,
    maxFileBytes: row.max_file_bytes,
    ...terms,
    canSend: canSend(role, terms),
  };
}

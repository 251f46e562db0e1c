import { Injectable } from '@nestjs/common';
import {
  LIST_LIMIT,
  toPage,
  toWindow,
  type ListQueryDto,
  type Page,
  type WindowQueryDto,
} from '../../../platform/http/lists/list.js';
import type { ZoneRole } from '../../zones/entities/zone-member.entity.js';
import { isInlineSafe } from '../shared/content-type.js';
import { thumbnailUrlOf } from '../shared/thumbnail-url.js';
import type { FileDto, FileListQueryDto, FilePositionQueryDto, PositionDto } from '../dto/file.dto.js';
import type { AccessZone } from '../access/file-access.repository.js';
import type { FolderLocation } from '../access/file-access.service.js';
import { fileAbilities } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import {
  cursorKeys,
  FileListRepository,
  type FileOrder,
  type FileRow,
  type FileScope,
} from './file-list.repository.js';

/** Lists files for display, with one query per list. */
@Injectable()
export class FileListService {
  constructor(private readonly files: FileListRepository) {}

  /** Lists the files at a location, sorted by name unless requested otherwise. */
  listFiles(
    location: FolderLocation,
    { sort = 'name', order = 'asc', ...page }: FileListQueryDto,
  ): Promise<Page<FileDto>> {
    const { contentZoneId: zoneId, contentFolderId: folderId, viewer } = location;
    const scope = { zoneId, folderId, viewer };
    return this.fetchPage(scope, { sort, order, ...page }, () => location);
  }

  /**
   * Returns where a file is among the files at a location, sorted like `listFiles`.
   * @throws FILE_NOT_FOUND if it isn't there, or the viewer may not see it
   */
  async findPosition(
    location: FolderLocation,
    { fileId, sort = 'name', order = 'asc' }: FilePositionQueryDto,
  ): Promise<PositionDto> {
    const { contentZoneId: zoneId, contentFolderId: folderId, viewer } = location;
    const index = await this.files.findPosition({ zoneId, folderId, viewer }, { sort, order }, fileId);
    if (index === null) throw fileErrors.FILE_NOT_FOUND();
    return { index };
  }

  /**
   * Lists all files of a zone regardless of folder, newest first. Mirrored files are left out, because they belong to
   * other zones.
   */
  listAllFiles(
    { zoneId, role, viewer }: Pick<FolderLocation, 'zoneId' | 'role' | 'viewer'>,
    page: ListQueryDto,
  ): Promise<Page<FileDto>> {
    const viewOf = (row: FileRow) => ({ zoneId, role, folderId: row.folder_id, readOnly: false });
    return this.fetchPage({ zoneId, viewer }, { sort: 'date', order: 'desc', ...page }, viewOf);
  }

  /** Returns the newest files across several zones regardless of folder, each as seen in its own zone. */
  async findLatest(zones: ReadonlyMap<number, ZoneRole>, viewer: number, count: number): Promise<FileDto[]> {
    if (zones.size === 0) return [];
    const rows = await this.files.findLatest([...zones.keys()], viewer, count);
    return rows.map((row) => {
      const { zone_id: zoneId, folder_id: folderId } = row;
      return toFileDto(row, { zoneId, folderId, role: zones.get(zoneId)!, readOnly: false });
    });
  }

  /** Returns files at one location by id, in the order of the ids. */
  async findByIds(location: FolderLocation, ids: readonly number[]): Promise<FileDto[]> {
    const rows = await this.files.findByIds(ids, location.viewer);
    const byId = new Map(rows.map((row) => [row.id, toFileDto(row, location)]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Returns files by id, each as seen at the given location; files that no longer exist are left out. */
  async findVisible(views: ReadonlyMap<number, FileView>, viewer: number): Promise<Map<number, FileDto>> {
    if (views.size === 0) return new Map();
    const rows = await this.files.findByIds([...views.keys()], viewer);
    return new Map(rows.map((row) => [row.id, toFileDto(row, views.get(row.id)!)]));
  }

  /**
   * Returns a file as seen in the viewer's zone.
   * @throws FILE_NOT_FOUND if the file was deleted in the meantime
   */
  async findOne(id: number, { zoneId, role, mountId, viewer }: AccessZone): Promise<FileDto> {
    const row = await this.files.findFile(id, viewer);
    if (!row) throw fileErrors.FILE_NOT_FOUND();
    const folderId = mountId === null ? row.folder_id : await this.resolveMirrorFolder(row.folder_id, mountId);
    return toFileDto(row, { zoneId, folderId, role, readOnly: mountId !== null });
  }

  /** Resolves the folder as seen through a mirror: the source folder is replaced by the mount folder. */
  private async resolveMirrorFolder(folderId: number | null, mountId: number): Promise<number | null> {
    return (await this.files.findMirrorSource(mountId)) === folderId ? mountId : folderId;
  }

  private async fetchPage(
    scope: FileScope,
    { sort, order, limit = LIST_LIMIT, cursor, offset }: WindowQueryDto & FileOrder,
    viewOf: (row: FileRow) => FileView,
  ): Promise<Page<FileDto>> {
    const { rows, total } =
      offset === undefined
        ? await this.readPage(scope, { sort, order }, limit, cursor)
        : await this.readWindow(scope, { sort, order }, limit, offset);
    const page = toPage(rows, limit, total, (row) => cursorKeys(row, sort));
    return { ...page, items: page.items.map((row) => toFileDto(row, viewOf(row))) };
  }

  private async readPage(scope: FileScope, order: FileOrder, limit: number, cursor: string | undefined) {
    const rows = await this.files.listFiles(scope, { ...order, limit: limit + 1, cursor });
    const total = cursor || rows.length > limit ? await this.files.countFiles(scope) : rows.length;
    return { rows, total };
  }

  private async readWindow(scope: FileScope, order: FileOrder, limit: number, offset: number) {
    const total = await this.files.countFiles(scope);
    return { rows: await this.files.listWindow(scope, order, toWindow(offset, limit + 1, total)), total };
  }
}

/** The location at which a file is seen. */
export type FileView = Pick<FolderLocation, 'zoneId' | 'folderId' | 'role' | 'readOnly'>;

function toFileDto(row: FileRow, view: FileView): FileDto {
  const rights = { allowDownload: row.allow_download, allowText: row.allow_text };
  return {
    id: row.id,
    name: row.original_name,
    originalName: row.original_name,
    mimeType: row.mime_type,
    size: row.size,
    publicUrl: null,
    thumbnailUrl: row.thumbnail_of === null ? null : thumbnailUrlOf(row),
    storageType: row.storage_type,
    zoneId: view.zoneId,
    folderId: view.folderId,
    uploadedById: row.uploaded_by_id,
    ...rights,
    viewCount: row.views ?? 0,
    downloadCount: row.downloads ?? 0,
    viewable: isInlineSafe(row.mime_type),
    document: row.state === null ? null : { state: row.state, failure: row.failure },
    readOnly: view.readOnly,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
    contentUpdatedAt: row.replaced_at ?? row.created_at,
    can: fileAbilities({ ...view, ...rights, mimeType: row.mime_type, isWithdrawable: row.is_withdrawable }),
  };
}

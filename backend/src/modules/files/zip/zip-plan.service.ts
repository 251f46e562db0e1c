import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { ItemIds } from '../tree/item-selection.service.js';
import { FileSchema } from '../entities/file.entity.js';
import { FileAccessService, type AccessibleFile, type AccessibleFolder } from '../access/file-access.service.js';
import { canAccessOriginal, MAX_DEPTH } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import { ZipPaths } from '../shared/zip-names.js';

/** Maximum number of files and folders per archive. */
export const MAX_ENTRIES = 50_000;

export interface ZipEntry {
  readonly path: string;
  readonly date: Date;
}

export interface ZipFile extends ZipEntry {
  readonly id: number;
}

/** Content of an archive. */
export interface ZipPlan {
  /** Name of the folder if only one was selected, otherwise of the zone. */
  readonly name: string;
  readonly folders: readonly ZipEntry[];
  readonly files: readonly ZipFile[];
}

interface TreeRow {
  /** The selected folder through which this one was reached. */
  readonly root: number;
  readonly id: number;
  readonly parentId: number | null;
  readonly name: string;
  readonly createdAt: Date;
  readonly level: number;
}

interface FileRow {
  readonly id: number;
  readonly folderId: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly allowDownload: boolean;
}

/** A folder of the archive, and the selected folder that determines the rights to its files. */
interface ArchiveFolder {
  readonly path: string;
  readonly root: AccessibleFolder;
}

/** Determines the files of an archive and their paths. */
@Injectable()
export class ZipPlanService {
  constructor(
    private readonly em: EntityManager,
    private readonly access: FileAccessService,
  ) {}

  /**
   * Plans an archive of files and folders, mirrors included, as the user sees them in a zone. Files that may not be
   * downloaded are left out.
   * @throws NOTHING_CHOSEN, FILE_NOT_FOUND, FOLDER_NOT_FOUND, TOO_MUCH_TO_DOWNLOAD; DOWNLOAD_NOT_ALLOWED if none of the
   * selected files may be downloaded
   */
  async planItems(zoneId: number, userId: number, items: ItemIds): Promise<ZipPlan> {
    const [fileIds, folderIds] = [[...new Set(items.fileIds)], [...new Set(items.folderIds)]];
    if (fileIds.length + folderIds.length === 0) throw fileErrors.NOTHING_CHOSEN();
    const files = await this.access.findFiles(fileIds, userId, zoneId);
    if (files.length < fileIds.length) throw fileErrors.FILE_NOT_FOUND();
    const roots = await this.access.findFolders(folderIds, userId, zoneId);
    if (roots.length < folderIds.length) throw fileErrors.FOLDER_NOT_FOUND();

    return this.createPlan(roots, files);
  }

  /**
   * Plans an archive of everything the user sees in a zone.
   * @throws NOTHING_TO_DOWNLOAD, TOO_MUCH_TO_DOWNLOAD; DOWNLOAD_NOT_ALLOWED if no file of the zone may be downloaded
   */
  async planZone(zoneId: number, userId: number): Promise<ZipPlan> {
    const [fileIds, folderIds] = [await this.findRootIds('files', zoneId), await this.findRootIds('folders', zoneId)];
    const files = await this.access.findFiles(fileIds, userId, zoneId);
    const roots = await this.access.findFolders(folderIds, userId, zoneId);
    if (files.length + roots.length === 0) throw fileErrors.NOTHING_TO_DOWNLOAD();
    return { ...(await this.createPlan(roots, files)), name: [...roots, ...files][0]!.zoneName };
  }

  private async createPlan(
    roots: readonly AccessibleFolder[],
    chosenFiles: readonly AccessibleFile[],
  ): Promise<ZipPlan> {
    const tree = await this.fetchFolderTree(roots);
    const folderFiles = await this.fetchFiles(tree.map(({ id }) => id));
    if (tree.length + folderFiles.length + chosenFiles.length > MAX_ENTRIES) {
      throw fileErrors.TOO_MUCH_TO_DOWNLOAD({ allowed: MAX_ENTRIES });
    }
    const paths = new ZipPaths();
    const folders: ZipEntry[] = [];
    const archiveFolders = assignFolderPaths(tree, roots, paths, folders);
    const nestedFiles = folderFiles.flatMap((file) => placeFile(archiveFolders.get(file.folderId) ?? [], file, paths));
    const nestedIds = new Set(folderFiles.map(({ id }) => id));
    const separateFiles = chosenFiles.filter((file) => !nestedIds.has(file.id));
    const rootFiles = separateFiles
      .filter(canDownload)
      .map((file) => toZipFile(paths.addFile('', file.originalName), file));
    const files = [...nestedFiles, ...rootFiles];
    if (files.length === 0 && folderFiles.length + separateFiles.length > 0) throw fileErrors.DOWNLOAD_NOT_ALLOWED();
    const [only, ...others] = separateFiles.length === 0 ? roots : [];
    const [{ zoneName }] = [...roots, ...chosenFiles] as [AccessibleFolder | AccessibleFile];
    return { name: only && others.length === 0 ? only.name : zoneName, folders, files };
  }

  /** Returns the ids of items at the root of a zone; at most one more than an archive may contain. */
  private async findRootIds(table: 'files' | 'folders', zoneId: number): Promise<number[]> {
    const above = table === 'files' ? sql.ref('folder_id') : sql.ref('parent_id');
    const name = table === 'files' ? sql.ref('original_name') : sql.ref('name');
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} where zone_id = ${zoneId} and ${above} is null and trashed_at is null
      order by ${name}, id limit ${MAX_ENTRIES + 1}`.execute(query<typeof FileSchema>(this.em));
    return rows.map(({ id }) => Number(id));
  }

  /**
   * Returns the selected folders and everything below them, parents first. A selected folder inside another selected
   * one appears only there.
   */
  private async fetchFolderTree(roots: readonly AccessibleFolder[]): Promise<TreeRow[]> {
    if (roots.length === 0) return [];
    const ids = roots.map(({ id }) => id);
    const contents = roots.map(({ contentFolderId }) => contentFolderId);
    const { rows } = await sql<TreeRow>`
      with recursive tree as (
        select c.root, f.id, null::bigint as parent_id, f.name, f.created_at, 1 as level
        from unnest(${ids}::bigint[], ${contents}::bigint[]) as c(root, content)
        join folders f on f.id = c.content and f.trashed_at is null
        union all
        select t.root, f.id, f.parent_id, f.name, f.created_at, t.level + 1
        from tree t join folders f on f.parent_id = t.id and f.trashed_at is null where t.level < ${MAX_DEPTH}
      )
      select root, id, parent_id as "parentId", name, created_at as "createdAt", level
      from tree order by level, name, root, id limit ${MAX_ENTRIES + 1}`.execute(query<typeof FileSchema>(this.em));
    const below = new Set(rows.filter(({ level }) => level > 1).map(({ id }) => id));
    return rows.filter(({ root }) => !below.has(root));
  }

  private async fetchFiles(folderIds: readonly number[]): Promise<FileRow[]> {
    if (folderIds.length === 0) return [];
    const { rows } = await sql<FileRow>`
      select id, folder_id as "folderId", original_name as name, created_at as "createdAt",
        allow_download as "allowDownload"
      from files where folder_id = any(${[...new Set(folderIds)]}::bigint[]) and trashed_at is null
      order by folder_id, original_name, id limit ${MAX_ENTRIES + 1}`.execute(query<typeof FileSchema>(this.em));
    return rows;
  }
}

/** Assigns each folder its path. If two mirrors show the same folder, it appears twice in the archive. */
function assignFolderPaths(
  tree: readonly TreeRow[],
  roots: readonly AccessibleFolder[],
  paths: ZipPaths,
  folders: ZipEntry[],
): Map<number, ArchiveFolder[]> {
  const rootOf = new Map(roots.map((root) => [root.id, root]));
  const pathOf = new Map<string, string>();
  const archiveFolders = new Map<number, ArchiveFolder[]>();
  for (const { root: rootId, id, parentId, name, createdAt } of tree) {
    const root = rootOf.get(Number(rootId))!;
    const above = parentId === null ? '' : pathOf.get(`${rootId}/${parentId}`)!;
    const path = paths.addFolder(above, parentId === null ? root.name : name);
    pathOf.set(`${rootId}/${id}`, path);
    folders.push({ path, date: new Date(createdAt) });
    archiveFolders.set(Number(id), [...(archiveFolders.get(Number(id)) ?? []), { path, root }]);
  }
  return archiveFolders;
}

function placeFile(archiveFolders: readonly ArchiveFolder[], file: FileRow, paths: ZipPaths): ZipFile[] {
  const { id, name, createdAt, allowDownload } = file;
  return archiveFolders
    .filter(({ root: { role, isMirror, mountId } }) => {
      const readOnly = isMirror || mountId !== null;
      return canAccessOriginal({ role, readOnly, allowDownload });
    })
    .map(({ path }) => ({ id: Number(id), path: paths.addFile(path, name), date: new Date(createdAt) }));
}

/** Whether the viewer may download the file. */
export function canDownload(file: AccessibleFile): boolean {
  return canAccessOriginal({ ...file, readOnly: file.mountId !== null });
}

function toZipFile(path: string, { id, createdAt }: AccessibleFile): ZipFile {
  return { id, path, date: createdAt };
}

import { Injectable } from '@nestjs/common';
import type { ItemViewer } from '../../zones/access/visible-files.sql.js';
import type { ItemIds } from '../tree/item-selection.service.js';
import {
  FileAccessRepository,
  type AccessibleFile,
  type AccessibleFolder,
  type SharedItem,
} from '../access/file-access.repository.js';
import { canAccessOriginal } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import { ZipPaths } from '../shared/zip-names.js';
import { ZipPlanRepository, type TreeFile, type TreeFolder } from './zip-plan.repository.js';

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

/** A folder of the archive, and the selected folder that determines the rights to its files. */
interface ArchiveFolder {
  readonly path: string;
  readonly root: AccessibleFolder;
}

/** Determines the files of an archive and their paths. */
@Injectable()
export class ZipPlanService {
  constructor(
    private readonly items: ZipPlanRepository,
    private readonly access: FileAccessRepository,
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

    return this.createPlan(roots, files, userId);
  }

  /**
   * Plans an archive of everything the user sees in a zone.
   * @throws NOTHING_TO_DOWNLOAD, TOO_MUCH_TO_DOWNLOAD; DOWNLOAD_NOT_ALLOWED if no file of the zone may be downloaded
   */
  async planZone(zoneId: number, userId: number): Promise<ZipPlan> {
    const fileIds = await this.items.findRootIds('files', zoneId, MAX_ENTRIES + 1);
    const folderIds = await this.items.findRootIds('folders', zoneId, MAX_ENTRIES + 1);
    const files = await this.access.findFiles(fileIds, userId, zoneId);
    const roots = await this.access.findFolders(folderIds, userId, zoneId);
    if (files.length + roots.length === 0) throw fileErrors.NOTHING_TO_DOWNLOAD();
    return { ...(await this.createPlan(roots, files, userId)), name: [...roots, ...files][0]!.zoneName };
  }

  /**
   * Plans an archive of a folder that a link shares.
   * @throws DOWNLOAD_NOT_ALLOWED if the link or all of the files don't allow downloads; TOO_MUCH_TO_DOWNLOAD
   */
  async planSharedFolder(folder: AccessibleFolder, link: SharedItem): Promise<ZipPlan> {
    if (!link.allowDownload) throw fileErrors.DOWNLOAD_NOT_ALLOWED();
    return this.createPlan([folder], [], folder.viewer);
  }

  private async createPlan(
    roots: readonly AccessibleFolder[],
    chosenFiles: readonly AccessibleFile[],
    viewer: ItemViewer,
  ): Promise<ZipPlan> {
    const tree = await this.fetchFolderTree(roots);
    const folderFiles = await this.items.findFilesIn(
      tree.map(({ id }) => id),
      viewer,
      MAX_ENTRIES + 1,
    );
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

  /**
   * Returns the selected folders and everything below them, parents first. A selected folder inside another selected
   * one appears only there.
   */
  private async fetchFolderTree(roots: readonly AccessibleFolder[]): Promise<TreeFolder[]> {
    if (roots.length === 0) return [];
    const rows = await this.items.findSubtrees(roots, MAX_ENTRIES + 1);
    const below = new Set(rows.filter(({ level }) => level > 1).map(({ id }) => id));
    return rows.filter(({ root }) => !below.has(root));
  }
}

/** Assigns each folder its path. If two mirrors show the same folder, it appears twice in the archive. */
function assignFolderPaths(
  tree: readonly TreeFolder[],
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

function placeFile(archiveFolders: readonly ArchiveFolder[], file: TreeFile, paths: ZipPaths): ZipFile[] {
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

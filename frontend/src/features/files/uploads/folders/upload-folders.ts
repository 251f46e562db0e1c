import { api, type Schema } from '../../../../shared/api/client';
import { createUuid } from '../../../../shared/format/uuid';
import { zonePathParams } from '../../../../shared/api/use-zone';
import { MAX_ENTRIES, TooManyEntriesError, type PickedFile, type PickedFolder } from './picked-folders';
import type { NewUpload, UploadQueue } from '../sending/upload-queue';
import type { UploadTarget } from '../sending/upload-item';

/** A name that couldn't be stored as it was. */
export interface ChangedName {
  readonly before: string;
  readonly after: string;
}

export interface FolderUploadResult {
  readonly changedNames: readonly ChangedName[];
  /** Number of files that are being uploaded. */
  readonly fileCount: number;
  /** Number of files that had been uploaded before. */
  readonly uploadedCount: number;
}

interface FolderUploadOptions {
  /** Maximum size of a file, if known. */
  readonly maxFileBytes: number | null;
  /** Continues an interrupted upload: files that exist with the same size were uploaded before. */
  readonly continues: boolean;
  /** Called for each folder whose files are being uploaded. */
  readonly onStarted: (id: string, folder: PickedFolder) => void;
}

/**
 * Creates the folders in one call and adds their files to the queue, one group for each picked folder. Files that exist
 * wait for a decision.
 * @param target where the folders are created
 * @throws TooManyEntriesError, `ApiError`
 */
export async function uploadFolders(
  queue: UploadQueue,
  target: UploadTarget,
  folders: readonly PickedFolder[],
  { maxFileBytes, continues, onStarted }: FolderUploadOptions,
): Promise<FolderUploadResult> {
  const files = folders.flatMap((folder) => folder.files);
  if (files.length > MAX_ENTRIES) throw new TooManyEntriesError();
  const { data } = await api.POST('/api/zones/{id}/folders/tree', {
    params: { path: zonePathParams(target.zoneId) },
    body: {
      parentId: target.folderId,
      folders: folders.flatMap(({ folderPaths }) => folderPaths),
      files: files.map(({ path }) => path),
    },
  });
  const tree = new UploadTree(target.zoneId, data!, continues);
  let fileCount = 0;
  for (const folder of folders) {
    const uploads = folder.files.flatMap((file) => tree.toUpload(file) ?? []);
    if (uploads.length === 0) continue;
    const id = createUuid();
    fileCount += uploads.length;
    if (folder.name) onStarted(id, folder);
    queue.addGroup(
      uploads.map((upload) => ({ ...upload, maxFileBytes })),
      folder.name ? { id, name: folder.name } : undefined,
    );
  }
  return { changedNames: tree.changedNames(), fileCount, uploadedCount: files.length - fileCount };
}

/** What the server has made of the picked folders. */
class UploadTree {
  private readonly folderIds: ReadonlyMap<string, number>;
  private readonly exceptions: ReadonlyMap<string, Schema<'TreeFileDto'>>;

  constructor(
    private readonly zoneId: number,
    private readonly tree: Schema<'FolderTreeDto'>,
    private readonly continues: boolean,
  ) {
    this.folderIds = new Map(tree.folders.map(({ path, id }) => [path, id]));
    this.exceptions = new Map(tree.files.map((file) => [file.path, file]));
  }

  /** Returns the upload of a file; null if it was uploaded before the interruption. */
  toUpload({ file, path }: PickedFile): NewUpload | null {
    const { name = file.name, existing = null } = this.exceptions.get(path) ?? {};
    if (this.continues && existing?.size === file.size) return null;
    const target = { zoneId: this.zoneId, folderId: this.folderIds.get(path.slice(0, path.lastIndexOf('/'))) ?? null };
    return { file: name === file.name ? file : renameFile(file, name), target, isTaken: existing !== null };
  }

  /** An existing folder with another spelling keeps its name, which is no change. */
  changedNames(): readonly ChangedName[] {
    return [...this.tree.folders.filter(({ existed }) => !existed), ...this.tree.files]
      .map(({ path, name }) => ({ before: path.slice(path.lastIndexOf('/') + 1), after: name }))
      .filter(({ before, after }) => before.normalize() !== after);
  }
}

const renameFile = (file: File, name: string) =>
  new File([file], name, { type: file.type, lastModified: file.lastModified });

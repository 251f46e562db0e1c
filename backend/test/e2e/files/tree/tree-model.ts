import { normaliseForComparison } from '../../../../src/platform/text/normalise-for-search.js';

/** Levels of folders in a zone. */
export const MAX_DEPTH = 5;

export interface ModelFolder {
  readonly id: number;
  zoneId: number;
  parentId: number | null;
  name: string;
  trashId: string | null;
  /** The mirrored folder, if this is a mirror. */
  readonly sourceId: number | null;
}

export interface ModelFile {
  readonly id: number;
  zoneId: number;
  parentId: number | null;
  name: string;
  readonly size: number;
  trashId: string | null;
}

/** A selectable item. */
export type TreeItem =
  { readonly kind: 'folder'; readonly id: number } | { readonly kind: 'file'; readonly id: number };

/** An entry of the trash, which can be restored or purged. */
export type ModelTrashEntry = TreeItem & { readonly trashId: string; readonly zoneId: number };

/** Folders, files, trash and mirrors of two zones, in the simplest correct implementation. */
export class TreeModel {
  readonly folders = new Map<number, ModelFolder>();
  readonly files = new Map<number, ModelFile>();
  trashEntries: ModelTrashEntry[] = [];

  findNode(item: TreeItem): ModelFolder | ModelFile {
    return (item.kind === 'folder' ? this.folders : this.files).get(item.id)!;
  }

  depthOf(id: number | null): number {
    return id === null ? 0 : 1 + this.depthOf(this.folders.get(id)!.parentId);
  }

  /** Whether the folder is one of `ancestors` or inside one. */
  isWithin(id: number | null, ancestors: ReadonlySet<number>): boolean {
    return id !== null && (ancestors.has(id) || this.isWithin(this.folders.get(id)!.parentId, ancestors));
  }

  /** The error of adding items to a folder; null if it is allowed. */
  writeErrorOf(zoneId: number, folderId: number | null): string | null {
    if (folderId === null) return null;
    const folder = this.folders.get(folderId)!;
    if (folder.trashId !== null || folder.zoneId !== zoneId || !this.isVisible(folder)) return 'FOLDER_NOT_FOUND';
    return folder.sourceId === null ? null : 'MIRROR_READ_ONLY';
  }

  /** A mirror is hidden while its source is in the trash. */
  isVisible({ sourceId }: ModelFolder): boolean {
    return sourceId === null || this.folders.get(sourceId)!.trashId === null;
  }

  /** Whether an item of this kind outside the trash, other than `except`, has the name in this folder. */
  isTaken(
    kind: TreeItem['kind'],
    zoneId: number,
    parentId: number | null,
    name: string,
    except: readonly TreeItem[] = [],
  ) {
    const nodes = kind === 'folder' ? this.folders : this.files;
    const own = new Set(except.filter((item) => item.kind === kind).map(({ id }) => id));
    return [...nodes.values()].some(
      (node) =>
        node.trashId === null &&
        !own.has(node.id) &&
        node.zoneId === zoneId &&
        node.parentId === parentId &&
        normaliseForComparison(node.name) === normaliseForComparison(name),
    );
  }

  /** Levels of a folder's subtree outside the trash. */
  heightOf(id: number): number {
    const below = [...this.folders.values()].filter((folder) => folder.parentId === id && folder.trashId === null);
    return 1 + Math.max(0, ...below.map((folder) => this.heightOf(folder.id)));
  }

  /** Moves items with their content to the trash; mirrors are removed. */
  moveToTrash(items: readonly TreeItem[], zoneId: number, trashId: string): void {
    const folders = new Set<number>();
    for (const item of items) {
      const node = this.findNode(item);
      if (item.kind === 'folder' && (node as ModelFolder).sourceId !== null) this.folders.delete(item.id);
      else if (item.kind === 'folder') folders.add(item.id);
    }
    const chosen = new Set(items.filter(({ kind }) => kind === 'file').map(({ id }) => id));
    const isActive = (item: TreeItem) => this.findNode(item).trashId === null;
    const trashedItems: TreeItem[] = [
      ...[...this.folders.values()]
        .filter(({ id }) => this.isWithin(id, folders))
        .map(({ id }): TreeItem => ({ kind: 'folder', id })),
      ...[...this.files.values()]
        .filter(({ id, parentId }) => chosen.has(id) || this.isWithin(parentId, folders))
        .map(({ id }): TreeItem => ({ kind: 'file', id })),
    ].filter(isActive);
    for (const item of trashedItems) this.findNode(item).trashId = trashId;
    for (const item of trashedItems) {
      const { parentId } = this.findNode(item);
      const isPartOfDeletedFolder = parentId !== null && this.folders.get(parentId)!.trashId === trashId;
      if (!isPartOfDeletedFolder) this.trashEntries.push({ ...item, trashId, zoneId });
    }
  }

  /** Moves items with their content to another zone; what is in the trash there stays and loses its folder. */
  moveToZone(items: readonly TreeItem[], zoneId: number, parentId: number | null): void {
    const moved = new Set(items.filter(({ kind }) => kind === 'folder').map(({ id }) => id));
    const subtree = this.listSubtree([...moved]);
    const ids = new Set(subtree.map(({ id }) => id));
    for (const node of [...this.folders.values(), ...this.files.values()]) {
      if (node.parentId === null || !ids.has(node.parentId)) continue;
      if (node.trashId !== null) node.parentId = null;
      else node.zoneId = zoneId;
    }
    for (const item of items) Object.assign(this.findNode(item), { zoneId, parentId });
  }

  /** The folders with all folders in them, outside the trash. */
  listSubtree(ids: readonly number[]): ModelFolder[] {
    const tops = new Set(ids);
    const isActive = (folder: ModelFolder): boolean =>
      folder.trashId === null && (tops.has(folder.id) || isActive(this.folders.get(folder.parentId!)!));
    return [...this.folders.values()].filter(({ id }) => this.isWithin(id, tops)).filter(isActive);
  }

  /** Items in the trash that belong to an entry, including itself. */
  listParts(entry: ModelTrashEntry): TreeItem[] {
    if (entry.kind === 'file') return [entry];
    const collect = (id: number): TreeItem[] => [
      { kind: 'folder', id },
      ...[...this.files.values()]
        .filter((file) => file.parentId === id && file.trashId === entry.trashId)
        .map((file): TreeItem => ({ kind: 'file', id: file.id })),
      ...[...this.folders.values()]
        .filter((folder) => folder.parentId === id && folder.trashId === entry.trashId)
        .flatMap((folder) => collect(folder.id)),
    ];
    return collect(entry.id);
  }

  /** Restores an entry to the folder the response names. */
  restore(entry: ModelTrashEntry, name: string, parentId: number | null): void {
    for (const part of this.listParts(entry)) this.findNode(part).trashId = null;
    Object.assign(this.findNode(entry), { name, parentId });
    this.trashEntries = this.trashEntries.filter((other) => other !== entry);
  }

  /** Purges an entry; items deleted before their folder lose it, and mirrors of it are removed. */
  purge(entry: ModelTrashEntry): void {
    const purged = this.listParts(entry);
    const folders = new Set(purged.filter(({ kind }) => kind === 'folder').map(({ id }) => id));
    for (const item of purged) (item.kind === 'folder' ? this.folders : this.files).delete(item.id);
    for (const node of [...this.folders.values(), ...this.files.values()]) {
      if (node.parentId !== null && folders.has(node.parentId)) node.parentId = null;
    }
    for (const { id, sourceId } of [...this.folders.values()]) {
      if (sourceId !== null && folders.has(sourceId)) this.folders.delete(id);
    }
    this.trashEntries = this.trashEntries.filter((other) => other !== entry);
  }

  /** Folders of other zones that are mirrored in a zone. */
  private mirroredSourceIds(zoneId: number): Set<number> {
    const mounts = [...this.folders.values()].filter(
      (folder) => folder.zoneId === zoneId && folder.sourceId !== null && this.isVisible(folder),
    );
    return new Set(mounts.map(({ sourceId }) => sourceId!));
  }

  /** Files readable by a member of only this zone. */
  listReadableFileIds(zoneId: number): number[] {
    const mirrored = this.mirroredSourceIds(zoneId);
    return [...this.files.values()]
      .filter((file) => file.trashId === null && (file.zoneId === zoneId || this.isWithin(file.parentId, mirrored)))
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  }

  /** Folders readable by a member of only this zone. */
  listReadableFolderIds(zoneId: number): number[] {
    const mirrored = this.mirroredSourceIds(zoneId);
    return [...this.folders.values()]
      .filter((folder) => folder.trashId === null && this.isVisible(folder))
      .filter((folder) => folder.zoneId === zoneId || (folder.sourceId === null && this.isWithin(folder.id, mirrored)))
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  }
}

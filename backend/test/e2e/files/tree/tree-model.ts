import { normaliseForComparison } from '../../../../src/platform/text/normalise-for-search.js';

/** Levels of folders in a zone. */
export const DEEPEST = 5;

export interface ModelFolder {
  readonly id: number;
  readonly zoneId: number;
  parentId: number | null;
  name: string;
  trashId: string | null;
  /** What it shows, when it is the folder of a mirror. */
  readonly sourceId: number | null;
}

export interface ModelFile {
  readonly id: number;
  readonly zoneId: number;
  parentId: number | null;
  name: string;
  readonly size: number;
  trashId: string | null;
}

/** Something that can be chosen. */
export type Item = { readonly kind: 'folder'; readonly id: number } | { readonly kind: 'file'; readonly id: number };

/** An entry of the trash: what can be brought back or purged by itself. */
export type Entry = Item & { readonly trashId: string; readonly zoneId: number };

/** Folders, files, trash and mirrors of two zones, kept in the simplest way that can be right. */
export class TreeModel {
  readonly folders = new Map<number, ModelFolder>();
  readonly files = new Map<number, ModelFile>();
  entries: Entry[] = [];

  node(item: Item): ModelFolder | ModelFile {
    return (item.kind === 'folder' ? this.folders : this.files).get(item.id)!;
  }

  depthOf(id: number | null): number {
    return id === null ? 0 : 1 + this.depthOf(this.folders.get(id)!.parentId);
  }

  /** True when the folder is `below`, or lies anywhere in it. */
  isIn(id: number | null, below: ReadonlySet<number>): boolean {
    return id !== null && (below.has(id) || this.isIn(this.folders.get(id)!.parentId, below));
  }

  /** Why nothing can be put into a place; null when it can. */
  refusal(zoneId: number, folderId: number | null): string | null {
    if (folderId === null) return null;
    const folder = this.folders.get(folderId)!;
    if (folder.trashId !== null || folder.zoneId !== zoneId || !this.isShown(folder)) return 'FOLDER_NOT_FOUND';
    return folder.sourceId === null ? null : 'MIRROR_READ_ONLY';
  }

  /** A mirror is hidden while its source is in the trash. */
  isShown({ sourceId }: ModelFolder): boolean {
    return sourceId === null || this.folders.get(sourceId)!.trashId === null;
  }

  /** True when something of that kind, outside the trash and not one of `except`, has the name there. */
  isTaken(kind: Item['kind'], zoneId: number, parentId: number | null, name: string, except: readonly Item[] = []) {
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

  /** Levels that a folder takes with all that is below it outside the trash. */
  heightOf(id: number): number {
    const below = [...this.folders.values()].filter((folder) => folder.parentId === id && folder.trashId === null);
    return 1 + Math.max(0, ...below.map((folder) => this.heightOf(folder.id)));
  }

  /** Puts things into the trash with all that is in them; mirrors are taken away. */
  trash(items: readonly Item[], zoneId: number, trashId: string): void {
    const folders = new Set<number>();
    for (const item of items) {
      const node = this.node(item);
      if (item.kind === 'folder' && (node as ModelFolder).sourceId !== null) this.folders.delete(item.id);
      else if (item.kind === 'folder') folders.add(item.id);
    }
    const chosen = new Set(items.filter(({ kind }) => kind === 'file').map(({ id }) => id));
    const before = (item: Item) => this.node(item).trashId === null;
    const marked: Item[] = [
      ...[...this.folders.values()]
        .filter(({ id }) => this.isIn(id, folders))
        .map(({ id }): Item => ({ kind: 'folder', id })),
      ...[...this.files.values()]
        .filter(({ id, parentId }) => chosen.has(id) || this.isIn(parentId, folders))
        .map(({ id }): Item => ({ kind: 'file', id })),
    ].filter(before);
    for (const item of marked) this.node(item).trashId = trashId;
    for (const item of marked) {
      const { parentId } = this.node(item);
      const inAct = parentId !== null && this.folders.get(parentId)!.trashId === trashId;
      if (!inAct) this.entries.push({ ...item, trashId, zoneId });
    }
  }

  /** What lies in the trash as a part of an entry, itself included. */
  partsOf(entry: Entry): Item[] {
    if (entry.kind === 'file') return [entry];
    const inside = (id: number): Item[] => [
      { kind: 'folder', id },
      ...[...this.files.values()]
        .filter((file) => file.parentId === id && file.trashId === entry.trashId)
        .map((file): Item => ({ kind: 'file', id: file.id })),
      ...[...this.folders.values()]
        .filter((folder) => folder.parentId === id && folder.trashId === entry.trashId)
        .flatMap((folder) => inside(folder.id)),
    ];
    return inside(entry.id);
  }

  /** An entry is out of the trash and lies where the answer says. */
  restore(entry: Entry, name: string, parentId: number | null): void {
    for (const part of this.partsOf(entry)) this.node(part).trashId = null;
    Object.assign(this.node(entry), { name, parentId });
    this.entries = this.entries.filter((other) => other !== entry);
  }

  /** An entry is gone; what was deleted before its folder loses that folder, mirrors of it go too. */
  purge(entry: Entry): void {
    const gone = this.partsOf(entry);
    const folders = new Set(gone.filter(({ kind }) => kind === 'folder').map(({ id }) => id));
    for (const item of gone) (item.kind === 'folder' ? this.folders : this.files).delete(item.id);
    for (const node of [...this.folders.values(), ...this.files.values()]) {
      if (node.parentId !== null && folders.has(node.parentId)) node.parentId = null;
    }
    for (const { id, sourceId } of [...this.folders.values()]) {
      if (sourceId !== null && folders.has(sourceId)) this.folders.delete(id);
    }
    this.entries = this.entries.filter((other) => other !== entry);
  }

  /** Folders of other zones whose trees are shown in a zone. */
  private shownIn(zoneId: number): Set<number> {
    const mounts = [...this.folders.values()].filter(
      (folder) => folder.zoneId === zoneId && folder.sourceId !== null && this.isShown(folder),
    );
    return new Set(mounts.map(({ sourceId }) => sourceId!));
  }

  /** Files that somebody who is only in this zone reads. */
  readableFiles(zoneId: number): number[] {
    const shown = this.shownIn(zoneId);
    return [...this.files.values()]
      .filter((file) => file.trashId === null && (file.zoneId === zoneId || this.isIn(file.parentId, shown)))
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  }

  /** Folders that somebody who is only in this zone reads. */
  readableFolders(zoneId: number): number[] {
    const shown = this.shownIn(zoneId);
    return [...this.folders.values()]
      .filter((folder) => folder.trashId === null && this.isShown(folder))
      .filter((folder) => folder.zoneId === zoneId || (folder.sourceId === null && this.isIn(folder.id, shown)))
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  }
}

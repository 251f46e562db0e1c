import { maxFolderDepth, type Entry, type Folder } from '../entries';

/** A target in a zone: a folder, or the root of the zone (`id` null). */
export interface MoveTarget {
  id: number | null;
  name: string;
}

/** A target in a zone that may be another one. */
export interface ZoneTarget extends MoveTarget {
  zoneId: number;
}

/** A folder with its subfolders. */
export interface FolderNode {
  folder: Pick<Folder, 'id' | 'name' | 'parentId' | 'isMirror' | 'readOnly'>;
  /** 1 at the root of the zone. */
  depth: number;
  /** Number of levels of its subtree; 1 if it has no subfolders. */
  height: number;
  children: FolderNode[];
}

export interface FolderTree {
  roots: FolderNode[];
  byId: ReadonlyMap<number, FolderNode>;
}

/** Why entries can't be moved to a target; null if they can. */
export type MoveError = 'alreadyHere' | 'intoItself' | 'tooDeep' | 'readOnly' | null;

/** Builds the tree of a zone's folders, in the given order. */
export function buildFolderTree(folders: readonly FolderNode['folder'][]): FolderTree {
  const byId = new Map<number, FolderNode>();
  for (const folder of folders) byId.set(folder.id, { folder, depth: 1, height: 1, children: [] });
  const roots: FolderNode[] = [];
  for (const node of byId.values()) {
    const parent = node.folder.parentId === null ? undefined : byId.get(node.folder.parentId);
    (parent?.children ?? roots).push(node);
  }
  for (const root of roots) computeDepthAndHeight(root, 1);
  return { roots, byId };
}

function computeDepthAndHeight(node: FolderNode, depth: number): number {
  node.depth = depth;
  node.height = 1 + Math.max(0, ...node.children.map((child) => computeDepthAndHeight(child, depth + 1)));
  return node.height;
}

/** Returns the folders from the root of the zone down to the given one, inclusive. */
export function pathTo({ byId }: FolderTree, id: number | null): FolderNode[] {
  const path: FolderNode[] = [];
  for (let node = id === null ? undefined : byId.get(id); node; node = byId.get(node.folder.parentId ?? -1))
    path.unshift(node);
  return path;
}

/** Returns why entries can't be moved to a target; null if they can. */
export function findMoveError(tree: FolderTree, entries: readonly Entry[], targetId: number | null): MoveError {
  const path = pathTo(tree, targetId);
  if (path.some(({ folder }) => folder.readOnly)) return 'readOnly';
  const movedFolderIds = new Set(entries.flatMap((entry) => (entry.kind === 'folder' ? entry.folder.id : [])));
  if (path.some(({ folder }) => movedFolderIds.has(folder.id))) return 'intoItself';
  if (entries.every((entry) => parentIdOf(entry) === targetId)) return 'alreadyHere';
  return findTransferError(tree, tree, entries, targetId);
}

/**
 * Returns why entries can't be copied to a target, or moved to one in another zone; null if they can.
 * @param tree that of the target's zone
 * @param ownTree that of the entries' zone
 */
export function findTransferError(
  tree: FolderTree,
  ownTree: FolderTree,
  entries: readonly Entry[],
  targetId: number | null,
): MoveError {
  const path = pathTo(tree, targetId);
  if (path.some(({ folder }) => folder.readOnly)) return 'readOnly';
  const heights = entries.map((entry) =>
    entry.kind === 'folder' ? (ownTree.byId.get(entry.folder.id)?.height ?? 1) : 0,
  );
  const height = Math.max(0, ...heights);
  return height > 0 && path.length + height > maxFolderDepth ? 'tooDeep' : null;
}

/** The folder that contains an entry; null at the root of the zone. */
export const parentIdOf = (entry: Entry) => (entry.kind === 'folder' ? entry.folder.parentId : entry.file.folderId);

/** Groups entries by their current folder, so that a move can be undone. */
export function groupByParentId(entries: readonly Entry[]): Map<number | null, Entry[]> {
  const groups = new Map<number | null, Entry[]>();
  for (const entry of entries) {
    const parent = parentIdOf(entry);
    const group = groups.get(parent);
    if (group) group.push(entry);
    else groups.set(parent, [entry]);
  }
  return groups;
}

/** A visible row of the tree. */
export interface TreeRow {
  id: number | null;
  name: string;
  /** 0 for the zone itself. */
  depth: number;
  /** It has subfolders. */
  hasChildren: boolean;
  parentId: number | null | undefined;
}

/** Lists the visible rows for the given expanded folders; the zone itself comes first and is always expanded. */
export function listVisibleRows(tree: FolderTree, zoneName: string, expandedIds: ReadonlySet<number>): TreeRow[] {
  const rows: TreeRow[] = [{ id: null, name: zoneName, depth: 0, hasChildren: false, parentId: undefined }];
  const add = (nodes: readonly FolderNode[]) => {
    for (const { folder, depth, children } of nodes) {
      if (folder.isMirror) continue;
      rows.push({
        id: folder.id,
        name: folder.name,
        depth,
        hasChildren: children.length > 0,
        parentId: folder.parentId,
      });
      if (expandedIds.has(folder.id)) add(children);
    }
  };
  add(tree.roots);
  return rows;
}

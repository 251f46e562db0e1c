import { maxFolderDepth, type Entry, type Folder } from '../entries';

/** A place in a zone into which things can be moved: a folder, or the top of the zone (`id` null). */
export interface MoveTarget {
  id: number | null;
  name: string;
}

/** A folder with those in it. */
export interface FolderNode {
  folder: Pick<Folder, 'id' | 'name' | 'parentId' | 'isMirror' | 'readOnly'>;
  /** 1 at the top of the zone. */
  depth: number;
  /** Levels that it takes with all below it; 1 when it holds no folder. */
  height: number;
  children: FolderNode[];
}

/** The folders of a zone as a tree. */
export interface FolderTree {
  roots: FolderNode[];
  byId: ReadonlyMap<number, FolderNode>;
}

/** Why things cannot be moved to a place; null when they can. */
export type MoveError = 'alreadyHere' | 'intoItself' | 'tooDeep' | 'readOnly' | null;

/** Makes the tree of the folders of a zone, in the order in which they are given. */
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

/** The folders from the top of the zone down to one, itself included. */
export function pathTo({ byId }: FolderTree, id: number | null): FolderNode[] {
  const path: FolderNode[] = [];
  for (let node = id === null ? undefined : byId.get(id); node; node = byId.get(node.folder.parentId ?? -1))
    path.unshift(node);
  return path;
}

/** Whether, and if not why, things can be moved to a place. */
export function findMoveError(tree: FolderTree, entries: readonly Entry[], targetId: number | null): MoveError {
  const path = pathTo(tree, targetId);
  if (path.some(({ folder }) => folder.readOnly)) return 'readOnly';
  const movedFolderIds = new Set(entries.flatMap((entry) => (entry.kind === 'folder' ? entry.folder.id : [])));
  if (path.some(({ folder }) => movedFolderIds.has(folder.id))) return 'intoItself';
  if (entries.every((entry) => parentIdOf(entry) === targetId)) return 'alreadyHere';
  const height = Math.max(0, ...[...movedFolderIds].map((id) => tree.byId.get(id)?.height ?? 1));
  return height > 0 && path.length + height > maxFolderDepth ? 'tooDeep' : null;
}

/** The folder in which something lies; null at the top of the zone. */
export const parentIdOf = (entry: Entry) => (entry.kind === 'folder' ? entry.folder.parentId : entry.file.folderId);

/** What is to be moved, by the folder in which it lies now: the way back of each. */
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

/** A line of the tree as it is shown. */
export interface TreeRow {
  id: number | null;
  name: string;
  /** 0 for the zone itself. */
  depth: number;
  /** It holds folders. */
  hasChildren: boolean;
  parentId: number | null | undefined;
}

/** The lines that are seen when the given folders are open; the zone itself is the first and always open. */
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

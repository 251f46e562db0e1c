import { maxDepth, type Entry, type Folder } from '../entries';

/** A place in a zone into which things can be moved: a folder, or the top of the zone (`id` null). */
export interface Place {
  id: number | null;
  name: string;
}

/** A folder with those in it. */
export interface Branch {
  folder: Pick<Folder, 'id' | 'name' | 'parentId' | 'isMirror' | 'readOnly'>;
  /** 1 at the top of the zone. */
  depth: number;
  /** Levels that it takes with all below it; 1 when it holds no folder. */
  height: number;
  children: Branch[];
}

/** The folders of a zone as a tree. */
export interface FolderTree {
  roots: Branch[];
  byId: ReadonlyMap<number, Branch>;
}

/** Why things cannot be moved to a place; null when they can. */
export type Obstacle = 'alreadyHere' | 'intoItself' | 'tooDeep' | 'readOnly' | null;

/** Makes the tree of the folders of a zone, in the order in which they are given. */
export function treeOf(folders: readonly Branch['folder'][]): FolderTree {
  const byId = new Map<number, Branch>();
  for (const folder of folders) byId.set(folder.id, { folder, depth: 1, height: 1, children: [] });
  const roots: Branch[] = [];
  for (const branch of byId.values()) {
    const parent = branch.folder.parentId === null ? undefined : byId.get(branch.folder.parentId);
    (parent?.children ?? roots).push(branch);
  }
  for (const root of roots) measure(root, 1);
  return { roots, byId };
}

function measure(branch: Branch, depth: number): number {
  branch.depth = depth;
  branch.height = 1 + Math.max(0, ...branch.children.map((child) => measure(child, depth + 1)));
  return branch.height;
}

/** The folders from the top of the zone down to one, itself included. */
export function pathTo({ byId }: FolderTree, id: number | null): Branch[] {
  const path: Branch[] = [];
  for (let at = id === null ? undefined : byId.get(id); at; at = byId.get(at.folder.parentId ?? -1)) path.unshift(at);
  return path;
}

/** Whether, and if not why, things can be moved to a place. */
export function obstacleAt(tree: FolderTree, moving: readonly Entry[], targetId: number | null): Obstacle {
  const path = pathTo(tree, targetId);
  if (path.some(({ folder }) => folder.readOnly)) return 'readOnly';
  const moved = new Set(moving.flatMap((entry) => (entry.kind === 'folder' ? entry.folder.id : [])));
  if (path.some(({ folder }) => moved.has(folder.id))) return 'intoItself';
  if (moving.every((entry) => parentOf(entry) === targetId)) return 'alreadyHere';
  const height = Math.max(0, ...[...moved].map((id) => tree.byId.get(id)?.height ?? 1));
  return height > 0 && path.length + height > maxDepth ? 'tooDeep' : null;
}

/** The folder in which something lies; null at the top of the zone. */
export const parentOf = (entry: Entry) => (entry.kind === 'folder' ? entry.folder.parentId : entry.file.folderId);

/** What is to be moved, by the folder in which it lies now: the way back of each. */
export function byParent(entries: readonly Entry[]): Map<number | null, Entry[]> {
  const groups = new Map<number | null, Entry[]>();
  for (const entry of entries) {
    const parent = parentOf(entry);
    const group = groups.get(parent);
    if (group) group.push(entry);
    else groups.set(parent, [entry]);
  }
  return groups;
}

/** A line of the tree as it is shown. */
export interface Line {
  id: number | null;
  name: string;
  /** 0 for the zone itself. */
  depth: number;
  /** It holds folders. */
  opens: boolean;
  parentId: number | null | undefined;
}

/** The lines that are seen when the given folders are open; the zone itself is the first and always open. */
export function linesOf(tree: FolderTree, zoneName: string, open: ReadonlySet<number>): Line[] {
  const lines: Line[] = [{ id: null, name: zoneName, depth: 0, opens: false, parentId: undefined }];
  const add = (branches: readonly Branch[]) => {
    for (const { folder, depth, children } of branches) {
      if (folder.isMirror) continue;
      lines.push({ id: folder.id, name: folder.name, depth, opens: children.length > 0, parentId: folder.parentId });
      if (open.has(folder.id)) add(children);
    }
  };
  add(tree.roots);
  return lines;
}

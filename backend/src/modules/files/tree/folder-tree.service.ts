import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import type { FolderLocation } from '../access/file-access.service.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import type { CreateFolderTreeDto, FolderTreeDto, TreeFileDto, TreeFolderDto } from '../dto/folder-tree.dto.js';
import { fileErrors, folderErrors } from '../files.errors.js';
import { ContentChangeRepository } from '../shared/content-change.repository.js';
import { cleanName, numberedName } from '../shared/file-name.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { ItemTreeRepository, type ChildFolder } from '../shared/item-tree.repository.js';

/** Maximum number of folders of one tree, including the parents of its files. */
const MAX_TREE_FOLDERS = 1_000;
/** Paths that an error names. */
const MAX_NAMED_PATHS = 5;

/** A folder of an uploaded tree. `path` is as the client wrote it; several spellings may be the same folder. */
interface TreeFolder extends TreeFolderDto {
  readonly isMirror: boolean;
}

/** Creates the folders of an uploaded tree, and finds out which of its files already exist. */
@Injectable()
export class FolderTreeService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly tree: ItemTreeRepository,
    private readonly placement: ItemPlacementService,
    private readonly activity: ActivityService,
    private readonly contentChanges: ContentChangeRepository,
    private readonly zoneStats: ZoneStatsRepository,
  ) {}

  /**
   * Creates the missing folders of a tree, either all of them or none; existing ones are used. Names that can't be
   * stored are cleaned. The same call again changes nothing.
   * @param location writable location of the tree
   * @throws NOTHING_CHOSEN, TOO_MANY_FOLDERS, FOLDER_TOO_DEEP, FOLDER_NOT_FOUND, ZONE_NOT_FOUND; MIRROR_READ_ONLY if a
   * folder of the tree is a mirror here
   */
  async createTree(location: FolderLocation, userId: number, dto: CreateFolderTreeDto): Promise<FolderTreeDto> {
    const { folders: folderPaths = [], files: filePaths = [] } = dto;
    if (folderPaths.length + filePaths.length === 0) throw fileErrors.NOTHING_CHOSEN();
    const uniqueFilePaths = [...new Set(filePaths)];
    const levels = groupByLevel([...folderPaths, ...uniqueFilePaths.map(parentOf)]);
    return inTransaction(this.em, async (em) => {
      const zoneName = await this.placement.lockZone(em, location.zoneId, 'tree');
      const depth = await this.placement.getFolderDepth(em, location.zoneId, location.folderId);
      const tooDeep = levels.slice(MAX_DEPTH - depth).flat();
      if (tooDeep.length > 0) {
        throw fileErrors.FOLDER_TOO_DEEP({ allowed: MAX_DEPTH }, { names: tooDeep.slice(0, MAX_NAMED_PATHS) });
      }
      const folders = await this.createFolders(em, location, userId, levels);
      const files = await this.findFiles(em, location, folders, uniqueFilePaths);
      await this.recordCreation(em, { location, zoneName, userId }, folders);
      return { folders: [...folders.values()].map(({ isMirror: _, ...folder }) => folder), files };
    });
  }

  /** @returns the folders of the tree by path, parents first */
  private async createFolders(
    em: EntityManager,
    { zoneId, folderId }: FolderLocation,
    userId: number,
    levels: readonly (readonly string[])[],
  ): Promise<Map<string, TreeFolder>> {
    const folders = new Map<string, TreeFolder>();
    const at = this.clock.now();
    for (const paths of levels) {
      const wanted = paths.map((path) => {
        const parentId = folders.get(parentOf(path))?.id ?? folderId;
        return { path, parentId, name: cleanName(nameOf(path)) };
      });
      const existing = byPlace(await this.tree.findChildFolders(em, zoneId, wanted));
      const missing = [...byPlace(wanted.filter((folder) => !existing.has(placeOf(folder)))).values()];
      const created = byPlace(await this.tree.insertFolders(em, { zoneId, createdById: userId, at }, missing));
      for (const folder of wanted) {
        const { id, name, isMirror } = (existing.get(placeOf(folder)) ?? created.get(placeOf(folder)))!;
        if (isMirror) throw folderErrors.MIRROR_READ_ONLY();
        folders.set(folder.path, { path: folder.path, id, name, existed: existing.has(placeOf(folder)), isMirror });
      }
    }
    return folders;
  }

  /** Returns the files that exist in their folder already, and those that get another name. */
  private async findFiles(
    em: EntityManager,
    { zoneId, folderId: rootId }: FolderLocation,
    folders: ReadonlyMap<string, TreeFolder>,
    paths: readonly string[],
  ): Promise<TreeFileDto[]> {
    const uniqueNames = new UniqueNames();
    const wanted = paths.map((path) => {
      const parentId = folders.get(parentOf(path))?.id ?? rootId;
      return { path, parentId, name: uniqueNames.choose(parentId, cleanName(nameOf(path))) };
    });
    const existing = byPlace(await this.tree.findChildFiles(em, zoneId, wanted));
    return wanted.flatMap(({ path, parentId, name }) => {
      const found = existing.get(placeOf({ parentId, name }));
      if (!found && name === nameOf(path)) return [];
      return { path, name, existing: found ? { id: found.id, size: found.size } : null };
    });
  }

  private async recordCreation(
    em: EntityManager,
    context: { location: FolderLocation; zoneName: string; userId: number },
    folders: ReadonlyMap<string, TreeFolder>,
  ): Promise<void> {
    const { location, zoneName, userId } = context;
    const { zoneId, ownerId, folderId } = location;
    // A folder with several spellings was created once.
    const created = [
      ...new Map([...folders.values()].filter(({ existed }) => !existed).map((f) => [f.id, f])).values(),
    ];
    if (created.length === 0) return;
    const entries = created.map(({ name }) => ({
      type: 'folder.created' as const,
      params: { zoneName, folderName: name },
      ownerId,
      zoneId,
      userId,
    }));
    await this.activity.record(em, ...entries);
    const folderIds = created.map(({ path }) => folders.get(parentOf(path))?.id ?? folderId);
    await this.contentChanges.markContentChanged(em, { zoneId, folderIds, at: this.clock.now() });
    await this.zoneStats.adjustCounts(em, zoneId, { folders: created.length });
  }
}

/** Returns the part before the last slash; '' is the location of the tree. */
const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/**
 * Returns the paths and all their parents by level, the top level first.
 * @throws TOO_MANY_FOLDERS
 */
function groupByLevel(paths: readonly string[]): string[][] {
  const all = new Set<string>();
  for (let path of paths) {
    for (; path !== '' && !all.has(path); path = parentOf(path)) all.add(path);
    if (all.size > MAX_TREE_FOLDERS) throw fileErrors.TOO_MANY_FOLDERS({ allowed: MAX_TREE_FOLDERS });
  }
  const levels: string[][] = [];
  for (const path of all) (levels[path.split('/').length - 1] ??= []).push(path);
  return levels;
}

type Place = Pick<ChildFolder, 'parentId' | 'name'>;

/** Identifies a name in a folder as the unique indexes do. */
const placeOf = ({ parentId, name }: Place) => `${parentId ?? 0}/${normaliseForComparison(name)}`;

const byPlace = <Item extends Place>(items: readonly Item[]) => new Map(items.map((item) => [placeOf(item), item]));

/** Chooses different names for the files of one request: names of one folder may become the same by cleaning. */
class UniqueNames {
  private readonly usedPlaces = new Set<string>();
  private readonly lastNumbers = new Map<string, number>();

  choose(parentId: number | null, name: string): string {
    const place = placeOf({ parentId, name });
    let chosen = name;
    let number = this.lastNumbers.get(place) ?? 0;
    while (this.usedPlaces.has(placeOf({ parentId, name: chosen }))) chosen = numberedName(name, ++number);
    this.lastNumbers.set(place, number);
    this.usedPlaces.add(placeOf({ parentId, name: chosen }));
    return chosen;
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ItemSelectionService, parentFolderIds, type ItemIds } from './item-selection.service.js';
import { ContentChangeRepository } from '../shared/content-change.repository.js';
import type { AccessZone } from '../access/file-access.repository.js';
import { FileRequestRepository } from '../requests/file-request.repository.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import {
  ItemTreeRepository,
  type ItemKind,
  type NamedItem,
  type SelectedFolder,
} from '../shared/item-tree.repository.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import { createItemEntries } from '../shared/item-activity.js';

export interface MoveTarget {
  /** Target folder for all items; null is the root. */
  readonly folderId: number | null;
  /** `rename` appends a number to clashing names; `refuse` rejects the whole move. */
  readonly onConflict: 'refuse' | 'rename';
}

type OwnedZone = Pick<AccessZone, 'zoneId' | 'ownerId'>;
type MovedItems = readonly NamedItem[];

/** Moves files and folders within their zone, either all of them or none. */
@Injectable()
export class ItemMoveService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly tree: ItemTreeRepository,
    private readonly requests: FileRequestRepository,
    private readonly placement: ItemPlacementService,
    private readonly itemSelection: ItemSelectionService,
    private readonly activity: ActivityService,
    private readonly contentChanges: ContentChangeRepository,
  ) {}

  /**
   * Moves files and folders into a folder; items already there are unaffected. The zone's tree lock keeps two opposite
   * moves from creating a cycle.
   * @returns the number of moved items
   * @throws errors of `ItemSelectionService.findSelected`; MOVE_INTO_ITSELF; FOLDER_TOO_DEEP if the deepest nested
   * folder would exceed the limit; DUPLICATE_NAMES with all clashing names
   */
  async moveItems({ zoneId, ownerId }: OwnedZone, userId: number, items: ItemIds, target: MoveTarget): Promise<number> {
    return inTransaction(this.em, async (em) => {
      const zoneName = await this.placement.lockZone(em, zoneId, 'tree');
      const depth = await this.itemSelection.getTargetDepth(zoneId, userId, target.folderId);
      const selected = await this.itemSelection.findSelected(em, zoneId, userId, items);
      await this.assertMovable(em, selected.folders, target.folderId);
      const movable = {
        files: selected.files.filter(({ folderId }) => folderId !== target.folderId),
        folders: selected.folders.filter(({ parentId }) => parentId !== target.folderId),
      };
      const names = {
        files: await this.resolveNames(em, zoneId, target, movable.files, 'file'),
        folders: await this.resolveNames(em, zoneId, target, movable.folders, 'folder'),
      };
      const named = (moved: MovedItems, to: readonly string[]) =>
        moved.map(({ id }, index) => ({ id, name: to[index]! }));
      const movedItems = { files: named(movable.files, names.files), folders: named(movable.folders, names.folders) };
      await this.tree.moveFiles(em, target.folderId, movedItems.files);
      const movedIds = movedItems.files.map(({ id }) => id);
      await this.requests.clearAtRoot(em, movedIds);
      await this.tree.moveFolders(em, target.folderId, movedItems.folders);
      await this.assertNotTooDeep(em, movable.folders, depth);
      await this.activity.record(em, ...createItemEntries('moved', { ownerId, zoneId, zoneName, userId }, movedItems));
      const movedCount = movedItems.files.length + movedItems.folders.length;
      const folderIds = [target.folderId, ...parentFolderIds(movable)];
      if (movedCount > 0) await this.contentChanges.markContentChanged(em, { zoneId, folderIds, at: this.clock.now() });
      return movedCount;
    });
  }

  private async assertMovable(
    em: EntityManager,
    folders: readonly SelectedFolder[],
    targetId: number | null,
  ): Promise<void> {
    if (folders.some(({ isMirror }) => isMirror)) throw fileErrors.MIRROR_READ_ONLY();
    if (targetId === null || folders.length === 0) return;
    const ids = folders.map(({ id }) => id);
    if (await this.tree.isInside(em, targetId, ids)) throw fileErrors.MOVE_INTO_ITSELF();
  }

  private async resolveNames(
    em: EntityManager,
    zoneId: number,
    { folderId, onConflict }: MoveTarget,
    moving: MovedItems,
    kind: ItemKind,
  ): Promise<string[]> {
    const names = moving.map(({ name }) => name);
    if (onConflict === 'rename') return this.placement.findFreeNames(em, zoneId, folderId, names, kind);
    const taken = new Set(await this.tree.findTakenNames(em, zoneId, folderId, names, kind));
    const usedKeys = new Set<string>();
    const clashes = names.filter((name) => {
      const isRepeated = usedKeys.has(normaliseForComparison(name));
      usedKeys.add(normaliseForComparison(name));
      return isRepeated || taken.has(name);
    });
    if (clashes.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: clashes });
    return names;
  }

  /** Checks the tree after the move, because a folder and one inside it may have been moved side by side. */
  private async assertNotTooDeep(em: EntityManager, folders: MovedItems, depth: number): Promise<void> {
    if (folders.length === 0) return;
    const height = await this.tree.measureHeight(
      em,
      folders.map(({ id }) => id),
    );
    if (depth + height > MAX_DEPTH) throw fileErrors.FOLDER_TOO_DEEP({ allowed: MAX_DEPTH });
  }
}

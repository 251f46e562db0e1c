import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { normaliseForComparison } from '../../../platform/text/normalise-for-search.js';
import { ActivityService } from '../../activity/activity.service.js';
import {
  ItemSelectionService,
  parentFolderIds,
  type SelectedItems,
  type SelectedFolder,
  type ItemIds,
} from './item-selection.service.js';
import { markContentChanged } from '../content-changes.js';
import { FileSchema } from '../entities/file.entity.js';
import type { AccessZone } from '../access/file-access.service.js';
import { findFreeNames, lockZone, findTakenNames, type ItemKind } from '../shared/file-placement.js';
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
type MovedItems = readonly { readonly id: number; readonly name: string }[];

/** Moves files and folders within their zone, either all of them or none. */
@Injectable()
export class ItemMoveService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly itemSelection: ItemSelectionService,
    private readonly activity: ActivityService,
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
      const zoneName = await lockZone(em, zoneId, 'tree');
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
      await this.updateRows(em, target.folderId, movable, names);
      await this.assertNotTooDeep(em, movable.folders, depth);
      const named = (moved: MovedItems, to: readonly string[]) =>
        moved.map(({ id }, index) => ({ id, name: to[index]! }));
      const movedItems = { files: named(movable.files, names.files), folders: named(movable.folders, names.folders) };
      await this.activity.record(em, ...createItemEntries('moved', { ownerId, zoneId, zoneName, userId }, movedItems));
      const movedCount = movedItems.files.length + movedItems.folders.length;
      const folderIds = [target.folderId, ...parentFolderIds(movable)];
      if (movedCount > 0) await markContentChanged(em, { zoneId, folderIds, at: this.clock.now() });
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
    const { rows } = await sql`
      with recursive above as (
        select id, parent_id, 1 as level from folders where id = ${targetId}
        union all
        select p.id, p.parent_id, a.level + 1 from above a join folders p on p.id = a.parent_id
        where a.level < ${MAX_DEPTH}
      ) select 1 from above where id = any(${folders.map(({ id }) => id)}::bigint[]) limit 1`.execute(
      query<typeof FileSchema>(em),
    );
    if (rows.length > 0) throw fileErrors.MOVE_INTO_ITSELF();
  }

  private async resolveNames(
    em: EntityManager,
    zoneId: number,
    { folderId, onConflict }: MoveTarget,
    moving: MovedItems,
    kind: ItemKind,
  ): Promise<string[]> {
    const names = moving.map(({ name }) => name);
    if (onConflict === 'rename') return findFreeNames(em, zoneId, folderId, names, kind);
    const taken = new Set(await findTakenNames(em, zoneId, folderId, names, kind));
    const usedKeys = new Set<string>();
    const clashes = names.filter((name) => {
      const isRepeated = usedKeys.has(normaliseForComparison(name));
      usedKeys.add(normaliseForComparison(name));
      return isRepeated || taken.has(name);
    });
    if (clashes.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: clashes });
    return names;
  }

  private async updateRows(
    em: EntityManager,
    folderId: number | null,
    moving: SelectedItems,
    names: { files: string[]; folders: string[] },
  ): Promise<void> {
    const rows = (moved: MovedItems, to: string[]) => sql`
      unnest(${moved.map(({ id }) => id)}::bigint[], ${to}::text[], ${to.map(normaliseForComparison)}::text[]) as n (id, name, key)`;
    const now = this.clock.now();
    if (moving.files.length > 0) {
      await sql`update files f set folder_id = ${folderId}, original_name = n.name, name_key = n.key, updated_at = ${now}
        from ${rows(moving.files, names.files)} where f.id = n.id`.execute(query<typeof FileSchema>(em));
    }
    if (moving.folders.length > 0) {
      await sql`update folders f set parent_id = ${folderId}, name = n.name, name_key = n.key, updated_at = ${now}
        from ${rows(moving.folders, names.folders)} where f.id = n.id`.execute(query<typeof FileSchema>(em));
    }
  }

  /** Checks the tree after the move, because a folder and one inside it may have been moved side by side. */
  private async assertNotTooDeep(em: EntityManager, folders: MovedItems, depth: number): Promise<void> {
    if (folders.length === 0) return;
    const { rows } = await sql<{ height: number }>`
      with recursive below as (
        select id, 1 as level from folders where id = any(${folders.map(({ id }) => id)}::bigint[])
        union all
        select f.id, b.level + 1 from below b join folders f on f.parent_id = b.id and f.trashed_at is null
        where b.level <= ${MAX_DEPTH}
      ) select max(level) as height from below`.execute(query<typeof FileSchema>(em));
    if (depth + rows[0]!.height > MAX_DEPTH) throw fileErrors.FOLDER_TOO_DEEP({ allowed: MAX_DEPTH });
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { foldCase } from '../../../platform/text/fold.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ChosenItems, placesOf, type Chosen, type ChosenFolder, type Items } from './chosen-items.service.js';
import { contentChanged } from '../content-changes.js';
import { FileSchema } from '../entities/file.entity.js';
import type { ViewingZone } from '../access/file-access.service.js';
import { freeNames, lockZone, takenNames, type ItemKind } from '../shared/file-placement.js';
import { MAX_DEPTH } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import { itemEntries } from '../shared/item-activity.js';

export interface MoveTarget {
  /** The folder into which everything goes; null is the root. */
  readonly folderId: number | null;
  /** `rename` gives clashing things a number; otherwise one clash refuses the whole move. */
  readonly onConflict: 'refuse' | 'rename';
}

type ZoneOf = Pick<ViewingZone, 'zoneId' | 'ownerId'>;
type Moved = readonly { readonly id: number; readonly name: string }[];

/** Moving files and folders inside their zone, all of a request or nothing of it. */
@Injectable()
export class FileMover {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly chosen: ChosenItems,
    private readonly activity: ActivityService,
  ) {}

  /**
   * Moves files and folders into one folder; what lies there already stays as it is. The lock of the zone keeps two
   * opposite moves from making a circle.
   * @returns how many things have moved
   * @throws what `ChosenItems` throws; MOVE_INTO_ITSELF, FOLDER_TOO_DEEP for what lies deepest in a moved folder,
   * DUPLICATE_NAMES with all names that clash
   */
  async move({ zoneId, ownerId }: ZoneOf, userId: number, items: Items, target: MoveTarget): Promise<number> {
    return inTransaction(this.em, async (em) => {
      const zoneName = await lockZone(em, zoneId, 'tree');
      const depth = await this.chosen.depthOfTarget(zoneId, userId, target.folderId);
      const chosen = await this.chosen.find(em, zoneId, userId, items);
      await this.assertMovable(em, chosen.folders, target.folderId);
      const moving = {
        files: chosen.files.filter(({ folderId }) => folderId !== target.folderId),
        folders: chosen.folders.filter(({ parentId }) => parentId !== target.folderId),
      };
      const names = {
        files: await this.namesFor(em, zoneId, target, moving.files, 'file'),
        folders: await this.namesFor(em, zoneId, target, moving.folders, 'folder'),
      };
      await this.write(em, target.folderId, moving, names);
      await this.assertNotTooDeep(em, moving.folders, depth);
      const named = (moved: Moved, to: readonly string[]) => moved.map(({ id }, at) => ({ id, name: to[at]! }));
      const things = { files: named(moving.files, names.files), folders: named(moving.folders, names.folders) };
      await this.activity.record(em, ...itemEntries('moved', { ownerId, zoneId, zoneName, userId }, things));
      const moved = things.files.length + things.folders.length;
      const places = [target.folderId, ...placesOf(moving)];
      if (moved > 0) await contentChanged(em, { zoneId, places, at: this.clock.now() });
      return moved;
    });
  }

  private async assertMovable(
    em: EntityManager,
    folders: readonly ChosenFolder[],
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

  private async namesFor(
    em: EntityManager,
    zoneId: number,
    { folderId, onConflict }: MoveTarget,
    moving: Moved,
    kind: ItemKind,
  ): Promise<string[]> {
    const names = moving.map(({ name }) => name);
    if (onConflict === 'rename') return freeNames(em, zoneId, folderId, names, kind);
    const seen = new Set(await takenNames(em, zoneId, folderId, names, kind));
    const keys = new Set<string>();
    const clashes = names.filter((name) => {
      const twice = keys.has(foldCase(name));
      keys.add(foldCase(name));
      return twice || seen.has(name);
    });
    if (clashes.length > 0) throw fileErrors.DUPLICATE_NAMES({}, { names: clashes });
    return names;
  }

  private async write(
    em: EntityManager,
    folderId: number | null,
    moving: Chosen,
    names: { files: string[]; folders: string[] },
  ): Promise<void> {
    const rows = (moved: Moved, to: string[]) => sql`
      unnest(${moved.map(({ id }) => id)}::bigint[], ${to}::text[], ${to.map(foldCase)}::text[]) as n (id, name, key)`;
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

  /** Looks at the tree as it is after the move: a folder and one inside it may have been moved side by side. */
  private async assertNotTooDeep(em: EntityManager, folders: Moved, depth: number): Promise<void> {
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

import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActivityService } from '../../activity/activity.service.js';
import { adjustZoneCounts } from '../../zones/zone/zone-counts.service.js';
import { zoneAbilities } from '../../zones/access/zone.policy.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import {
  ItemSelectionService,
  parentFolderIds,
  type SelectedItems,
  type ItemIds,
} from '../tree/item-selection.service.js';
import { markContentChanged } from '../content-changes.js';
import { FolderSchema } from '../entities/folder.entity.js';
import { TrashEntrySchema } from '../entities/trash-entry.entity.js';
import type { TrashedDto } from '../dto/items.dto.js';
import type { AccessZone } from '../access/file-access.service.js';
import { lockZone } from '../shared/file-placement.js';
import { fileErrors } from '../files.errors.js';
import { FolderMountService } from '../tree/folder-mount.service.js';
import { createItemEntries } from '../shared/item-activity.js';

type Tables = typeof FolderSchema | typeof TrashEntrySchema;

/** Moves items to the zone's trash, from which they can be restored for 30 days. */
@Injectable()
export class ItemTrashService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly itemSelection: ItemSelectionService,
    private readonly folderMount: FolderMountService,
    private readonly activity: ActivityService,
  ) {}

  /**
   * Moves files, and folders with their content, to the trash in one operation. Their bytes still count towards the
   * storage until they are purged. Items that were already in the trash keep their own entries. Mirrors are removed
   * instead.
   * @throws errors of `ItemSelectionService.findSelected`; ZONE_FORBIDDEN for a mirror that the user may not remove
   */
  async moveToTrash(
    { zoneId, ownerId, role }: Pick<AccessZone, 'zoneId' | 'ownerId' | 'role'>,
    userId: number,
    items: ItemIds,
  ) {
    return inTransaction(this.em, async (em): Promise<TrashedDto> => {
      const zoneName = await lockZone(em, zoneId, 'tree');
      const selected = await this.itemSelection.findSelected(em, zoneId, userId, items);
      const mirrors = selected.folders.filter(({ isMirror }) => isMirror);
      if (mirrors.length > 0 && !zoneAbilities(role).manageMirrors) throw zoneErrors.ZONE_FORBIDDEN();
      for (const { id } of mirrors) {
        if (!(await this.folderMount.removeMirror({ id, zoneId, ownerId }, userId)))
          throw fileErrors.FOLDER_NOT_FOUND();
      }
      const trashed = { files: selected.files, folders: selected.folders.filter(({ isMirror }) => !isMirror) };
      await this.activity.record(em, ...createItemEntries('deleted', { ownerId, zoneId, zoneName, userId }, trashed));
      if (trashed.files.length + trashed.folders.length === 0) {
        await this.folderMount.markZoneChanged(em, zoneId);
        return { trashId: null, files: 0, folders: 0 };
      }
      return this.markTrashed(em, zoneId, userId, trashed);
    });
  }

  /** Marks all items with the same trash id; items already in the trash keep theirs. */
  private async markTrashed(
    em: EntityManager,
    zoneId: number,
    userId: number,
    { files, folders }: SelectedItems,
  ): Promise<TrashedDto> {
    const [now, trashId] = [this.clock.now(), randomUUID()];
    const { rows } = await sql<{ folders: number; files: number }>`
      with recursive below as (
        select id from folders where id = any(${folders.map(({ id }) => id)}::bigint[])
        union
        select f.id from below b join folders f on f.parent_id = b.id where f.trashed_at is null
      ), marked_folders as (
        update folders set trashed_at = ${now}, trash_id = ${trashId}::uuid where id in (select id from below) returning 1
      ), marked_files as (
        update files set trashed_at = ${now}, trash_id = ${trashId}::uuid
        where trashed_at is null and id in (
          select unnest(${files.map(({ id }) => id)}::bigint[])
          union all
          select x.id from below b join files x on x.folder_id = b.id
        ) returning 1
      )
      select (select count(*) from marked_folders) as folders, (select count(*) from marked_files) as files`.execute(
      query<Tables>(em),
    );
    const marked = { folders: rows[0]!.folders, files: rows[0]!.files };
    await this.insertEntries(em, { zoneId, trashId, userId, now });
    const subtreeIds = folders.map(({ id }) => id);
    await markContentChanged(em, { zoneId, folderIds: parentFolderIds({ files, folders }), subtreeIds, at: now });
    await adjustZoneCounts(em, zoneId, { folders: -marked.folders, files: -marked.files });
    return { trashId, ...marked };
  }

  /** Inserts an entry for each deleted item whose folder was not deleted in the same operation. */
  private async insertEntries(
    em: EntityManager,
    { zoneId, trashId, userId, now }: { zoneId: number; trashId: string; userId: number; now: Date },
  ): Promise<void> {
    await sql`
      with recursive tree as (
        select f.id, f.id as top from folders f left join folders p on p.id = f.parent_id
        where f.trash_id = ${trashId}::uuid and p.trash_id is distinct from ${trashId}::uuid
        union all
        select f.id, t.top from tree t join folders f on f.parent_id = t.id and f.trash_id = ${trashId}::uuid
      ), tops as (
        select t.top as folder_id, null::bigint as file_id, count(x.id) as files, coalesce(sum(x.size), 0) as bytes
        from tree t left join files x on x.folder_id = t.id and x.trash_id = ${trashId}::uuid group by t.top
        union all
        select null, f.id, 1, f.size from files f left join folders p on p.id = f.folder_id
        where f.trash_id = ${trashId}::uuid and p.trash_id is distinct from ${trashId}::uuid
      )
      insert into trash_entries (zone_id, trash_id, folder_id, file_id, files, bytes, deleted_by_id, deleted_at)
      select ${zoneId}::bigint, ${trashId}::uuid, folder_id, file_id, files, bytes, ${userId}::bigint, ${now}::timestamptz
      from tops order by folder_id, file_id`.execute(query<Tables>(em));
  }
}

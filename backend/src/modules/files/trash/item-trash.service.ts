import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import type { GuestViewer } from '../../zones/access/visible-files.sql.js';
import { zoneAbilities } from '../../zones/access/zone.policy.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import {
  ItemSelectionService,
  parentFolderIds,
  type ItemIds,
  type SelectedItems,
} from '../tree/item-selection.service.js';
import { ContentChangeRepository } from '../shared/content-change.repository.js';
import type { TrashedDto } from '../dto/items.dto.js';
import type { AccessibleFile, AccessZone } from '../access/file-access.repository.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { fileErrors } from '../files.errors.js';
import { FolderMountService } from '../tree/folder-mount.service.js';
import { createItemEntries, type ActivityContext } from '../shared/item-activity.js';
import { FileRequestRepository } from '../requests/file-request.repository.js';
import { ItemTreeRepository, type NamedItem } from '../shared/item-tree.repository.js';
import { TrashRepository } from './trash.repository.js';

/** Moves items to the zone's trash, from which they can be restored for 30 days. */
@Injectable()
export class ItemTrashService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly trash: TrashRepository,
    private readonly tree: ItemTreeRepository,
    private readonly requests: FileRequestRepository,
    private readonly placement: ItemPlacementService,
    private readonly itemSelection: ItemSelectionService,
    private readonly folderMount: FolderMountService,
    private readonly activity: ActivityService,
    private readonly contentChanges: ContentChangeRepository,
    private readonly zoneStats: ZoneStatsRepository,
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
      const zoneName = await this.placement.lockZone(em, zoneId, 'tree');
      const selected = await this.itemSelection.findSelected(em, zoneId, userId, items);
      const mirrors = selected.folders.filter(({ isMirror }) => isMirror);
      if (mirrors.length > 0 && !zoneAbilities(role).manageMirrors) throw zoneErrors.ZONE_FORBIDDEN();
      for (const { id } of mirrors) {
        if (!(await this.folderMount.removeMirror({ id, zoneId, ownerId }, userId)))
          throw fileErrors.FOLDER_NOT_FOUND();
      }
      const trashed = { files: selected.files, folders: selected.folders.filter(({ isMirror }) => !isMirror) };
      if (trashed.files.length + trashed.folders.length === 0) {
        await this.folderMount.markZoneChanged(em, zoneId);
        return { trashId: null, files: 0, folders: 0 };
      }
      return this.trashSelected(em, { zoneId, ownerId, zoneName, userId }, trashed);
    });
  }

  /**
   * Moves a file to the trash that the guest of a link sent, while the file request is open.
   * @returns false if the guest didn't send it or may no longer remove it
   */
  withdrawFile({ id, zoneId, ownerId }: AccessibleFile, guest: GuestViewer): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      const zoneName = await this.placement.lockZone(em, zoneId, 'tree');
      if (!(await this.requests.isWithdrawable(em, id, guest))) return false;
      const files = await this.tree.findFiles(em, zoneId, [id]);
      if (files.length === 0) return false;
      await this.trashSelected(em, { zoneId, ownerId, zoneName, userId: null }, { files, folders: [] });
      return true;
    });
  }

  private async trashSelected(em: EntityManager, context: ActivityContext, items: SelectedItems): Promise<TrashedDto> {
    const { zoneId } = context;
    const marked = await this.trashItems(em, context, items);
    await this.contentChanges.markContentChanged(em, {
      zoneId,
      folderIds: parentFolderIds(items),
      subtreeIds: items.folders.map(({ id }) => id),
      at: this.clock.now(),
    });
    await this.zoneStats.adjustCounts(em, zoneId, { folders: -marked.folders, files: -marked.files });
    return marked;
  }

  /**
   * Moves items that are no mirrors to the trash, in the caller's transaction. The caller must then mark the content as
   * changed and adjust the counters.
   */
  async trashItems(
    em: EntityManager,
    context: ActivityContext,
    items: { readonly files: readonly NamedItem[]; readonly folders: readonly NamedItem[] },
  ): Promise<TrashedDto> {
    const { zoneId, userId } = context;
    const deletion = { zoneId, trashId: randomUUID(), userId, at: this.clock.now() };
    const fileIds = items.files.map(({ id }) => id);
    const folderIds = items.folders.map(({ id }) => id);
    const marked = await this.trash.markTrashed(em, deletion, { fileIds, folderIds });
    await this.trash.insertEntries(em, deletion);
    await this.activity.record(em, ...createItemEntries('deleted', context, items));
    return { trashId: deletion.trashId, ...marked };
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import { ActivityService } from '../../activity/activity.service.js';
import { UsageService } from '../../plans/usage.service.js';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { fileErrors } from '../files.errors.js';
import { PageStoreService } from '../pages/page-store.service.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { FileRepository } from '../upload/file.repository.js';
import { FileVersionRepository, type StoredVersion } from './file-version.repository.js';

/** Deletes earlier versions permanently. A job deletes their objects after the commit. */
@Injectable()
export class VersionRemovalService {
  constructor(
    private readonly em: EntityManager,
    private readonly versions: FileVersionRepository,
    private readonly files: FileRepository,
    private readonly placement: ItemPlacementService,
    private readonly activity: ActivityService,
    private readonly pageStore: PageStoreService,
    private readonly zoneStats: ZoneStatsRepository,
    private readonly usage: UsageService,
  ) {}

  /**
   * Deletes an earlier version of a file.
   * @throws VERSION_NOT_FOUND; VERSION_IS_CURRENT for the current content; FILE_NOT_FOUND
   */
  async deleteVersion(file: AccessibleFile, number: number, userId: number): Promise<void> {
    const { id: fileId, zoneId, ownerId } = file;
    await inTransaction(this.em, async (em) => {
      const zoneName = await this.placement.lockZone(em, zoneId, 'files');
      const current = await this.files.lockContent(em, fileId, zoneId);
      if (!current) throw fileErrors.FILE_NOT_FOUND();
      if (number === current.version) throw fileErrors.VERSION_IS_CURRENT();
      const deleted = await this.versions.deleteVersion(em, fileId, number);
      if (!deleted) throw fileErrors.VERSION_NOT_FOUND();
      const params = { zoneName, fileName: current.name };
      await this.activity.record(em, { type: 'file.version_deleted', ownerId, zoneId, userId, fileId, params });
      await this.release(em, file, [deleted]);
    });
  }

  /** Deletes the objects of deleted versions, and releases their bytes, last, in the plan usage. */
  private async release(
    em: EntityManager,
    { zoneId, ownerId }: { readonly zoneId: number; readonly ownerId: number },
    deleted: readonly StoredVersion[],
  ): Promise<void> {
    if (deleted.length === 0) return;
    await this.pageStore.enqueueObjectDeletion(
      em,
      deleted.map(({ objectKey }) => objectKey),
    );
    const bytes = deleted.reduce((sum, { size }) => sum + size, 0);
    await this.zoneStats.adjustCounts(em, zoneId, { bytes: -bytes });
    await this.usage.releaseUsage(em, ownerId, 'bytes', bytes);
  }
}

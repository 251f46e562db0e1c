import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { Storage } from '../../../platform/storage/storage.js';
import { ActivityRepository } from '../../activity/activity.repository.js';
import { UsageService } from '../../plans/usage.service.js';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import { deleteObjects, type DeletedObjects } from '../files.jobs.js';
import { PageStoreService } from '../pages/page-store.service.js';
import { FileRequestRepository } from '../requests/file-request.repository.js';
import { UploadReservationService } from '../upload/upload-reservation.service.js';
import { FilePurgeRepository } from './file-purge.repository.js';

/** Files deleted per transaction. */
const BATCH_SIZE = 500;

interface OwnedZone {
  readonly zoneId: number;
  readonly ownerId: number;
}

/** Permanently deletes files. Rows and plan usage change in one transaction; a job deletes the objects afterwards. */
@Injectable()
export class FilePurgeService {
  constructor(
    private readonly em: EntityManager,
    private readonly files: FilePurgeRepository,
    private readonly requests: FileRequestRepository,
    private readonly activity: ActivityRepository,
    private readonly usage: UsageService,
    private readonly uploadReservation: UploadReservationService,
    private readonly storage: Storage,
    private readonly pageStore: PageStoreService,
    private readonly zoneStats: ZoneStatsRepository,
  ) {}

  /** Deletes one batch of the marked trash entries of a zone. Returns false when none are left. */
  async purgeMarkedBatch(zone: OwnedZone): Promise<boolean> {
    const files = await this.purgeBatch(zone, (em) => this.files.lockMarkedFiles(em, zone.zoneId, BATCH_SIZE));
    if (files > 0) return true;
    const uploads = await this.purgeFolder(zone);
    if (uploads) await this.uploadReservation.abandonEnded(this.em.fork(), uploads);
    return uploads !== null;
  }

  /** Deletes objects whose rows are gone. An object that no longer exists is not an error. */
  @OnJob(deleteObjects)
  async deleteObjects({ objectKeys, multiparts = [] }: DeletedObjects): Promise<void> {
    // First, because their writer may be about to complete them.
    for (const multipart of multiparts) await this.storage.abortMultipart(multipart);
    for (const key of objectKeys) await this.storage.delete(key);
  }

  /**
   * Deletes all files of a deleted zone in batches, and aborts the uploads into it. After a crash, the next call
   * deletes the rest; leftover uploads are removed by the upload sweep.
   */
  @OnEvent('zone.purging')
  async purgeZone(_em: EntityManager, zone: OwnedZone): Promise<void> {
    const uploads = await this.uploadReservation.endLeases(this.em.fork(), { zoneId: zone.zoneId });
    await this.uploadReservation.abandonEnded(this.em.fork(), uploads);
    while ((await this.purgeBatch(zone, (em) => this.files.lockZoneFiles(em, zone.zoneId, BATCH_SIZE))) > 0);
  }

  /** @param lockFiles locks the files of the batch */
  private purgeBatch(zone: OwnedZone, lockFiles: (em: EntityManager) => Promise<number[]>): Promise<number> {
    return inTransaction(this.em.fork(), async (em) => {
      const { count, bytes } = await this.deleteFiles(em, await lockFiles(em));
      await this.releaseBytes(em, zone, bytes);
      return count;
    });
  }

  /**
   * Deletes a batch of the files in a marked folder. Once none are left, deletes the folder and its subfolders.
   * @returns the uploads into them, whose reservations must be released; null if nothing is marked
   */
  private purgeFolder(zone: OwnedZone): Promise<{ id: number }[] | null> {
    return inTransaction(this.em.fork(), async (em) => {
      const folder = await this.files.lockMarkedFolder(em, zone.zoneId);
      if (!folder) return null;
      const ids = await this.files.lockFilesInFolder(em, folder, BATCH_SIZE);
      const { count, bytes } = await this.deleteFiles(em, ids);
      const uploads = count < BATCH_SIZE ? await this.deleteFolders(em, await this.files.findSubtree(em, folder)) : [];
      await this.releaseBytes(em, zone, bytes);
      return uploads;
    });
  }

  private async deleteFolders(em: EntityManager, folderIds: readonly number[]): Promise<{ id: number }[]> {
    const uploads = await this.uploadReservation.endLeases(em, { folderIds });
    await this.requests.keepAtRoot(em, { by: 'folder_id', ids: folderIds });
    await this.files.deleteFolders(em, folderIds);
    return uploads;
  }

  /** Deletes locked files. Deletes their pages first, since there may be very many. */
  private async deleteFiles(em: EntityManager, ids: readonly number[]): Promise<{ count: number; bytes: number }> {
    if (ids.length === 0) return { count: 0, bytes: 0 };
    await this.pageStore.deletePages(em, ids);
    const { count, bytes, objectKeys } = await this.files.deleteFiles(em, ids);
    await this.pageStore.enqueueObjectDeletion(em, objectKeys);
    await this.activity.deleteFileFigures(em, ids);
    return { count, bytes };
  }

  /** Releases the bytes in the zone's counters and, last, in the plan usage. */
  private async releaseBytes(em: EntityManager, zone: OwnedZone, bytes: number): Promise<void> {
    if (bytes === 0) return;
    await this.zoneStats.adjustCounts(em, zone.zoneId, { bytes: -bytes });
    await this.usage.releaseUsage(em, zone.ownerId, 'bytes', bytes);
  }
}

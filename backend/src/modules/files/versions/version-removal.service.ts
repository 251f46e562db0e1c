import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { CronRunPayload, JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { ActivityService } from '../../activity/activity.service.js';
import { UsageService } from '../../plans/usage.service.js';
import { ZoneStatsRepository } from '../../zones/zone/zone-stats.repository.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { fileErrors } from '../files.errors.js';
import { expireVersions } from '../files.jobs.js';
import { PageStoreService } from '../pages/page-store.service.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { ItemTreeRepository } from '../shared/item-tree.repository.js';
import { FileRepository } from '../upload/file.repository.js';
import { FileVersionRepository, type FileOfZone, type StoredVersion } from './file-version.repository.js';

/** Files per query. */
const BATCH_SIZE = 500;

/** Deletes earlier versions permanently. A job deletes their objects after the commit. */
@Injectable()
export class VersionRemovalService {
  constructor(
    private readonly em: EntityManager,
    private readonly versions: FileVersionRepository,
    private readonly files: FileRepository,
    private readonly placement: ItemPlacementService,
    private readonly tree: ItemTreeRepository,
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

  /** Deletes the versions beyond the number and age that their zones keep; never the current content. */
  @OnJob(expireVersions)
  async expireVersions(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    await forEachIsolated(this.findFilesWithExpired(), (file) => this.expireVersionsOf(file), signal, toLogContext);
  }

  /** Yields each file once: one whose versions can't be deleted is not returned again. */
  private async *findFilesWithExpired(): AsyncGenerator<FileOfZone> {
    for (let last = 0; ;) {
      const files = await this.versions.findFilesWithExpired(last, BATCH_SIZE);
      yield* files;
      if (files.length < BATCH_SIZE) return;
      last = files.at(-1)!.id;
    }
  }

  /** The settings of the zone are read under its lock, and the file may be deleted meanwhile. */
  private async expireVersionsOf(file: FileOfZone): Promise<void> {
    await inTransaction(this.em.fork(), async (em) => {
      if ((await this.tree.lockZone(em, file.zoneId, 'files')) === null) return;
      if (!(await this.files.lockContent(em, file.id, file.zoneId))) return;
      await this.release(em, file, await this.versions.deleteExpired(em, file.id));
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

const toLogContext = ({ id }: FileOfZone) => ({ fileId: id });

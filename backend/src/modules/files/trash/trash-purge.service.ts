import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { CronRunPayload, JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ZoneRepository } from '../../zones/zone/zone.repository.js';
import type { ItemIds } from '../tree/item-selection.service.js';
import type { PurgedDto } from '../dto/items.dto.js';
import type { AccessZone } from '../access/file-access.repository.js';
import { FilePurgeService } from '../objects/file-purge.service.js';
import { ItemPlacementService } from '../shared/item-placement.service.js';
import { TRASH_LIFETIME } from '../access/file.policy.js';
import { fileErrors } from '../files.errors.js';
import { createItemEntries } from '../shared/item-activity.js';
import { expireTrash, purgeTrash } from '../files.jobs.js';
import { TrashRepository } from './trash.repository.js';

/** Items to delete permanently: entries identified by their file or folder, or the whole trash of the zone. */
export interface PurgeRequest extends ItemIds {
  readonly all: boolean;
}

/** Batches that a request deletes itself, so that the space is free when it returns; a job deletes the rest. */
const BATCHES_PER_REQUEST = 10;
/** Entries that the scheduled job marks per transaction. */
const EXPIRED_BATCH_SIZE = 1000;

/**
 * Empties the trash. Marked entries disappear for everyone immediately. The deletion runs in batches and resumes after
 * a crash.
 */
@Injectable()
export class TrashPurgeService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly trash: TrashRepository,
    private readonly placement: ItemPlacementService,
    private readonly zones: ZoneRepository,
    private readonly jobs: JobsService,
    private readonly activity: ActivityService,
    private readonly filePurge: FilePurgeService,
  ) {}

  /**
   * Permanently deletes trash entries, either all of them or none; their bytes no longer count.
   * @throws TRASH_NOT_FOUND if one of them is not in the trash
   */
  async purgeEntries(
    zone: Pick<AccessZone, 'zoneId' | 'ownerId'>,
    userId: number,
    request: PurgeRequest,
  ): Promise<PurgedDto> {
    const purged = await inTransaction(this.em, (em) => this.markForPurge(em, zone, userId, request));
    for (let batch = 0; batch < BATCHES_PER_REQUEST; batch++) if (!(await this.filePurge.purgeMarkedBatch(zone))) break;
    return purged;
  }

  /** Deletes all marked entries of a zone. */
  @OnJob(purgeTrash)
  async purgeMarked({ zoneId }: { zoneId: number }, { signal }: JobContext): Promise<void> {
    const ownerId = await this.zones.findOwner(zoneId);
    if (ownerId === null) return;
    while (await this.filePurge.purgeMarkedBatch({ zoneId, ownerId })) signal.throwIfAborted();
  }

  /** Marks expired trash entries in all zones. */
  @OnJob(expireTrash)
  async expireTrash(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    while (!signal.aborted && (await this.markExpiredBatch()));
  }

  /** @returns false if there were no more entries */
  private markExpiredBatch(): Promise<boolean> {
    const before = addMilliseconds(this.clock.now(), -TRASH_LIFETIME);
    return inTransaction(this.em.fork(), async (em) => {
      const zoneIds = await this.trash.markExpiredPurging(em, before, EXPIRED_BATCH_SIZE);
      for (const zoneId of new Set(zoneIds)) await this.jobs.enqueue(em, purgeTrash, { zoneId });
      return zoneIds.length > 0;
    });
  }

  private async markForPurge(
    em: EntityManager,
    { zoneId, ownerId }: Pick<AccessZone, 'zoneId' | 'ownerId'>,
    userId: number,
    { fileIds, folderIds, all }: PurgeRequest,
  ): Promise<PurgedDto> {
    if (!all && fileIds.length + folderIds.length === 0) throw fileErrors.NOTHING_CHOSEN();
    const zoneName = await this.placement.lockZone(em, zoneId, 'files');
    const rows = await this.trash.markPurging(em, zoneId, { fileIds, folderIds, all });
    const [files, folders] = [rows.flatMap(({ fileId }) => fileId ?? []), rows.flatMap((row) => row.folderId ?? [])];
    const found = { files: new Set(files), folders: new Set(folders) };
    if (!fileIds.every((id) => found.files.has(id)) || !folderIds.every((id) => found.folders.has(id))) {
      throw fileErrors.TRASH_NOT_FOUND();
    }
    if (rows.length > 0) {
      await this.jobs.enqueue(em, purgeTrash, { zoneId });
      const names = await this.trash.findNames(em, files, folders);
      await this.activity.record(em, ...createItemEntries('purged', { ownerId, zoneId, zoneName, userId }, names));
    }
    const sum = (of: 'files' | 'bytes') => rows.reduce((total, row) => total + row[of], 0);
    return { files: sum('files'), bytes: sum('bytes') };
  }
}

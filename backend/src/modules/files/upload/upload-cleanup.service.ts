import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, DAY } from '../../../platform/clock/clock.js';
import type { CronRunPayload, JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { Storage } from '../../../platform/storage/storage.js';
import { sweepUploads } from '../files.jobs.js';
import { ResumableUploadRepository } from './resumable/resumable-upload.repository.js';
import { UploadLockRepository } from './resumable/upload-lock.repository.js';
import { UploadRepository } from './upload.repository.js';
import { UploadReservationService } from './upload-reservation.service.js';

@Injectable()
export class UploadCleanupService {
  constructor(
    private readonly em: EntityManager,
    private readonly storage: Storage,
    private readonly uploadReservation: UploadReservationService,
    private readonly resumableUploads: ResumableUploadRepository,
    private readonly locks: UploadLockRepository,
    private readonly uploads: UploadRepository,
  ) {}

  /**
   * Releases the reservations of aborted uploads and deletes leftovers of finished ones. A failing step does not
   * prevent the others.
   */
  @OnJob(sweepUploads)
  async cleanUp(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    const steps = [
      () => this.uploadReservation.abandonExpired(this.em.fork(), signal),
      () => this.resumableUploads.deleteCompleted(),
      () => this.locks.deleteStale(),
      // Uses the system clock, not the application's `Clock`, because the file timestamps come from the system.
      () =>
        this.storage.removeUnfinished(addMilliseconds(new Date(), -DAY), (keys) =>
          this.uploads.findUnfinished(this.em.fork(), keys),
        ),
    ];
    await forEachIsolated(steps, (step) => step(), signal);
  }
}

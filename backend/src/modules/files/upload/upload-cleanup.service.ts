import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { CronRunPayload, JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { Storage } from '../../../platform/storage/storage.js';
import type { UploadLockSchema } from '../entities/upload.entity.js';
import { sweepUploads } from '../files.jobs.js';
import { ResumableUploadService } from './resumable/resumable-upload.service.js';
import { UploadReservationService } from './upload-reservation.service.js';

@Injectable()
export class UploadCleanupService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly uploadReservation: UploadReservationService,
    private readonly resumableUpload: ResumableUploadService,
  ) {}

  /**
   * Releases the reservations of aborted uploads and deletes leftovers of finished ones. A failing step does not
   * prevent the others.
   */
  @OnJob(sweepUploads)
  async cleanUp(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    const steps = [
      () => this.uploadReservation.abandonExpired(this.em.fork(), signal),
      () => this.resumableUpload.deleteCompleted(),
      () => this.deleteStaleLocks(),
      // Uses the system clock, not the application's `Clock`, because the file timestamps come from the system.
      () => this.storage.removeUnfinished(addMilliseconds(new Date(), -DAY)),
    ];
    await forEachIsolated(steps, (step) => step(), signal);
  }

  /** Deletes locks of dead processes, long after they expired. */
  private async deleteStaleLocks(): Promise<void> {
    await query<typeof UploadLockSchema>(this.em.fork())
      .deleteFrom('upload_locks')
      .where('held_until', '<', sql<Date>`now() - interval '1 hour'`)
      .execute();
  }
}

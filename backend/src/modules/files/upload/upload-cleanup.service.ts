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

  /** Gives back what uploads held that broke off, and forgets what is left of those that ended; what fails keeps nothing else from being cleaned up. */
  @OnJob(sweepUploads)
  async cleanUp(_tick: CronRunPayload, { signal }: JobContext): Promise<void> {
    const steps = [
      () => this.uploadReservation.abandonExpired(this.em.fork(), signal),
      () => this.resumableUpload.deleteCompleted(),
      () => this.deleteStaleLocks(),
      // The time of the files is that of the machine, whatever the clock of the application says.
      () => this.storage.removeUnfinished(addMilliseconds(new Date(), -DAY)),
    ];
    await forEachIsolated(steps, (step) => step(), signal);
  }

  /** Locks of processes that died, long after they stopped to hold. */
  private async deleteStaleLocks(): Promise<void> {
    await query<typeof UploadLockSchema>(this.em.fork())
      .deleteFrom('upload_locks')
      .where('held_until', '<', sql<Date>`now() - interval '1 hour'`)
      .execute();
  }
}

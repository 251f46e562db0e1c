import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { ClockTick, JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { Storage } from '../../../platform/storage/storage.js';
import type { UploadLockSchema } from '../entities/upload.entity.js';
import { sweepUploads } from '../files.jobs.js';
import { ResumableUploads } from './resumable/resumable-uploads.service.js';
import { UploadReservations } from './upload-reservations.service.js';

@Injectable()
export class UploadCleanup {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly reservations: UploadReservations,
    private readonly resumable: ResumableUploads,
  ) {}

  /** Gives back what uploads held that broke off, and forgets what is left of those that ended. */
  @OnJob(sweepUploads)
  async run(_tick: ClockTick, { signal }: JobContext): Promise<void> {
    while (!signal.aborted && (await this.reservations.abandonExpired(this.em.fork())));
    await this.resumable.forgetDone();
    // Locks of processes that died, long after they stopped to hold.
    await query<typeof UploadLockSchema>(this.em.fork())
      .deleteFrom('upload_locks')
      .where('held_until', '<', sql<Date>`now() - interval '1 hour'`)
      .execute();
    // The time of the files is that of the machine, whatever the clock of the application says.
    await this.storage.removeUnfinished(after(new Date(), -DAY));
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { ClockTick, JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { eachOnItsOwn } from '../../../platform/jobs/running/each-on-its-own.js';
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

  /** Gives back what uploads held that broke off, and forgets what is left of those that ended; what fails keeps nothing else from being cleaned up. */
  @OnJob(sweepUploads)
  async run(_tick: ClockTick, { signal }: JobContext): Promise<void> {
    const steps = [
      () => this.reservations.abandonExpired(this.em.fork(), signal),
      () => this.resumable.forgetDone(),
      () => this.forgetLocks(),
      // The time of the files is that of the machine, whatever the clock of the application says.
      () => this.storage.removeUnfinished(after(new Date(), -DAY)),
    ];
    await eachOnItsOwn(steps, (step) => step(), signal);
  }

  /** Locks of processes that died, long after they stopped to hold. */
  private async forgetLocks(): Promise<void> {
    await query<typeof UploadLockSchema>(this.em.fork())
      .deleteFrom('upload_locks')
      .where('held_until', '<', sql<Date>`now() - interval '1 hour'`)
      .execute();
  }
}

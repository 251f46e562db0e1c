import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import type { ClockTick, JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { Storage } from '../../platform/storage/storage.js';
import { ResumableUploads } from './resumable/resumable-uploads.service.js';
import { UploadLocks } from './resumable/upload-locks.service.js';
import { sweepUploads } from './sweep-uploads.job.js';
import { UploadIntents } from './upload-intents.service.js';

@Injectable()
@JobHandler(sweepUploads)
export class SweepUploadsHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly storage: Storage,
    private readonly intents: UploadIntents,
    private readonly resumable: ResumableUploads,
    private readonly locks: UploadLocks,
  ) {}

  async handle(_tick: ClockTick, { signal }: JobContext): Promise<void> {
    while (!signal.aborted && (await this.intents.abandonExpired(this.em.fork())));
    await this.resumable.forgetDone();
    await this.locks.sweep();
    // The time of the files is that of the machine, whatever the clock of the application says.
    await this.storage.removeUnfinished(after(new Date(), -DAY));
  }
}

import type { ClockTick, JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler, type Handles } from '../../platform/jobs/job-handler.decorator.js';
import { expireTrash } from './expire-trash.job.js';
import { TrashPurgeService } from './trash-purge.service.js';

@JobHandler(expireTrash)
export class ExpireTrashHandler implements Handles<ClockTick> {
  constructor(private readonly trash: TrashPurgeService) {}

  async handle(_tick: ClockTick, { signal }: JobContext): Promise<void> {
    while (!signal.aborted && (await this.trash.markExpired()));
  }
}

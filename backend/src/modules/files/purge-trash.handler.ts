import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler, type Handles } from '../../platform/jobs/job-handler.decorator.js';
import { purgeTrash } from './purge-trash.job.js';
import { TrashPurgeService } from './trash-purge.service.js';

@JobHandler(purgeTrash)
export class PurgeTrashHandler implements Handles<{ zoneId: number }> {
  constructor(private readonly trash: TrashPurgeService) {}

  handle({ zoneId }: { zoneId: number }, { signal }: JobContext): Promise<void> {
    return this.trash.finish(zoneId, signal);
  }
}

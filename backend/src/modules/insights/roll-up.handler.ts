import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler, type Handles } from '../../platform/jobs/job-handler.decorator.js';
import { rollUp } from './roll-up.job.js';
import { RollUpService } from './roll-up.service.js';

/** Tried once: the next minute's job does all that this one left. */
@JobHandler(rollUp)
export class RollUpHandler implements Handles<object> {
  constructor(private readonly rollUps: RollUpService) {}

  handle(_tick: object, { signal }: JobContext): Promise<void> {
    return this.rollUps.run(signal);
  }
}

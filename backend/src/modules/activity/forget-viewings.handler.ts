import { EntityManager } from '@mikro-orm/postgresql';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { JobHandler, type Handles } from '../../platform/jobs/job-handler.decorator.js';
import { ViewingSchema } from './entities/viewing.entity.js';
import { forgetViewings } from './forget-viewings.job.js';

@JobHandler(forgetViewings)
export class ForgetViewingsHandler implements Handles<object> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async handle(): Promise<void> {
    await query<typeof ViewingSchema>(this.em)
      .deleteFrom('viewings')
      .where('window_start', '<', after(this.clock.now(), -DAY))
      .execute();
  }
}

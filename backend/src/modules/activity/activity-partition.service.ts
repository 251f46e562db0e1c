import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { createMonthPartitions } from '../../platform/database/month-partitions.sql.js';
import { OnJob } from '../../platform/jobs/on-job.decorator.js';
import { createActivityPartitions } from './activity.jobs.js';

@Injectable()
export class ActivityPartitionService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  @OnJob(createActivityPartitions)
  createPartitions(): Promise<void> {
    return createMonthPartitions(this.em, 'activity', this.clock.now());
  }
}

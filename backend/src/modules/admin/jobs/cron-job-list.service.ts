import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { nextCronSlot } from '../../../platform/jobs/cron/cron-slot.js';
import { allCronJobDefinitions } from '../../../platform/jobs/job-definition.js';
import type { ClockJobDto } from '../dto/admin-lists.dto.js';
import { JobListRepository } from './job-list.repository.js';

/** Cron jobs for administrators. */
@Injectable()
export class CronJobListService {
  constructor(
    private readonly jobs: JobListRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns all cron jobs by name, with their last and next runs and the number of jobs per state. */
  async listCronJobs(): Promise<ClockJobDto[]> {
    const now = this.clock.now();
    const runs = await this.jobs.findLastSlots();
    const states = await this.jobs.countByState(allCronJobDefinitions().map(({ name }) => name));
    const count = (name: string, state: string) =>
      states.find((row) => row.name === name && row.state === state)?.count ?? 0;
    return allCronJobDefinitions()
      .map(({ name, cron }) => ({
        id: name,
        name,
        cron,
        nextSlot: nextCronSlot(cron, now),
        lastSlot: runs.find((run) => run.name === name)?.slot ?? null,
        queued: count(name, 'queued'),
        running: count(name, 'running'),
        dead: count(name, 'dead'),
      }))
      .sort((one, other) => one.name.localeCompare(other.name, 'en'));
  }
}

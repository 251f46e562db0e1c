import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { containsPattern, type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage, streamNewestFirst } from '../../../platform/http/lists/admin-page.js';
import { ClockRunSchema, JobSchema } from '../../../platform/jobs/job.entity.js';
import { nextCronSlot } from '../../../platform/jobs/cron/cron-slot.js';
import { allCronJobDefinitions } from '../../../platform/jobs/job-definition.js';
import type { AdminJobDto, ClockJobDto } from '../dto/admin-lists.dto.js';
import type { JobQueryDto } from '../dto/list-query.dto.js';

type Tables = typeof JobSchema | typeof ClockRunSchema;
type Filters = Pick<JobQueryDto, 'q' | 'state' | 'queue'>;

const sorting = { fields: { createdAt: 'id', runAt: 'run_at', attempts: 'attempts', name: 'name' }, id: 'id' };

/** Jobs as stored in the database, which is the source of truth. Completed jobs are deleted. */
@Injectable()
export class JobListService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns one page; `q` matches part of the name. */
  listPage(dto: JobQueryDto): Promise<AdminPage<AdminJobDto>> {
    return loadAdminPage(dto, sorting, {
      filtered: this.filterJobs(dto),
      rows: this.selectRows({}),
      toRow: (row) => row,
    });
  }

  /** Streams all matching jobs, newest first. */
  streamAll(filters: Filters): AsyncGenerator<AdminJobDto> {
    return streamNewestFirst(this.selectRows(filters), 'id', (row) => row);
  }

  /** Returns all cron jobs by name, with their last and next runs and the number of jobs per state. */
  async listCronJobs(): Promise<ClockJobDto[]> {
    const now = this.clock.now();
    const runs = await query<Tables>(this.em)
      .selectFrom('clock_runs')
      // The first start catches up on slots from before the database existed; they count as run when it was created.
      .select(['name', sql<Date>`greatest(max(slot), (select min(executed_at) from mikro_orm_migrations))`.as('slot')])
      .groupBy('name')
      .execute();
    const names = allCronJobDefinitions().map(({ name }) => name);
    const states = await query<Tables>(this.em)
      .selectFrom('jobs')
      .select(['name', 'state', sql<number>`count(*)::int`.as('count')])
      .where('name', 'in', names)
      .groupBy(['name', 'state'])
      .execute();
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

  private selectRows(filters: Filters) {
    return this.filterJobs(filters)
      .select(['id', 'queue', 'name', 'payload', 'state', 'attempts', 'max_attempts as maxAttempts'])
      .select(['run_at as runAt', 'last_error as lastError', 'created_at as createdAt']);
  }

  private filterJobs({ state, queue, q }: Filters) {
    let rows = query<Tables>(this.em).selectFrom('jobs');
    if (state) rows = rows.where('state', '=', state);
    if (queue) rows = rows.where('queue', '=', queue);
    if (q?.trim()) rows = rows.where('name', 'like', containsPattern(q.trim()));
    return rows;
  }
}

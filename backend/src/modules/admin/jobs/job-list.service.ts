import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { containing, type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { adminPage, newestFirst } from '../../../platform/http/lists/admin-page.js';
import { ClockRunSchema, JobSchema } from '../../../platform/jobs/job.entity.js';
import { nextSlotOf } from '../../../platform/jobs/clock/clock-slot.js';
import { knownClockJobs } from '../../../platform/jobs/job-definition.js';
import type { AdminJobDto, ClockJobDto } from '../dto/admin-lists.dto.js';
import type { JobQueryDto } from '../dto/list-query.dto.js';

type Tables = typeof JobSchema | typeof ClockRunSchema;
type Filters = Pick<JobQueryDto, 'q' | 'state' | 'queue'>;

const sorting = { fields: { createdAt: 'id', runAt: 'run_at', attempts: 'attempts', name: 'name' }, id: 'id' };

/** Jobs as the database has them, which is the only truth about them. A finished one is deleted. */
@Injectable()
export class JobListService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** One page; `q` finds a part of the name. */
  page(asked: JobQueryDto): Promise<AdminPage<AdminJobDto>> {
    return adminPage(asked, sorting, { matching: this.matching(asked), rows: this.rows({}), shown: (row) => row });
  }

  /** All of them, the newest first, read in batches. */
  all(asked: Filters): AsyncGenerator<AdminJobDto> {
    return newestFirst(this.rows(asked), 'id', (row) => row);
  }

  /** Every job of the clock, with its ticks and what is under way of it, by name. */
  async clockJobs(): Promise<ClockJobDto[]> {
    const now = this.clock.now();
    const runs = await query<Tables>(this.em)
      .selectFrom('clock_runs')
      // The first start makes up for ticks before it: those ran when the database was made, and not before there was one.
      .select(['name', sql<Date>`greatest(max(slot), (select min(executed_at) from mikro_orm_migrations))`.as('slot')])
      .groupBy('name')
      .execute();
    const names = knownClockJobs().map(({ name }) => name);
    const states = await query<Tables>(this.em)
      .selectFrom('jobs')
      .select(['name', 'state', sql<number>`count(*)::int`.as('count')])
      .where('name', 'in', names)
      .groupBy(['name', 'state'])
      .execute();
    const count = (name: string, state: string) =>
      states.find((row) => row.name === name && row.state === state)?.count ?? 0;
    return knownClockJobs()
      .map(({ name, cron }) => ({
        ...{ id: name, name, cron, nextSlot: nextSlotOf(cron, now) },
        lastSlot: runs.find((run) => run.name === name)?.slot ?? null,
        queued: count(name, 'queued'),
        running: count(name, 'running'),
        dead: count(name, 'dead'),
      }))
      .sort((one, other) => one.name.localeCompare(other.name, 'en'));
  }

  private rows(asked: Filters) {
    return this.matching(asked)
      .select(['id', 'queue', 'name', 'payload', 'state', 'attempts', 'max_attempts as maxAttempts'])
      .select(['run_at as runAt', 'last_error as lastError', 'created_at as createdAt']);
  }

  private matching({ state, queue, q }: Filters) {
    let rows = query<Tables>(this.em).selectFrom('jobs');
    if (state) rows = rows.where('state', '=', state);
    if (queue) rows = rows.where('queue', '=', queue);
    if (q?.trim()) rows = rows.where('name', 'like', containing(q.trim()));
    return rows;
  }
}

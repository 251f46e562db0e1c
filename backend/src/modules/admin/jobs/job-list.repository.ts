import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { containsPattern, type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage, streamNewestFirst } from '../../../platform/http/lists/admin-page.js';
import type { ClockRunSchema, JobSchema } from '../../../platform/jobs/job.entity.js';
import type { AdminJobDto } from '../dto/admin-lists.dto.js';
import type { JobQueryDto } from '../dto/list-query.dto.js';

type Tables = typeof JobSchema | typeof ClockRunSchema;
type Filters = Pick<JobQueryDto, 'q' | 'state' | 'queue'>;

const sorting = { fields: { createdAt: 'id', runAt: 'run_at', attempts: 'attempts', name: 'name' }, id: 'id' };

/** Jobs as stored in the database, which is the source of truth. Completed jobs are deleted. */
@Injectable()
export class JobListRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns one page; `q` matches part of the name. */
  findPage(dto: JobQueryDto): Promise<AdminPage<AdminJobDto>> {
    return loadAdminPage(dto, sorting, {
      filtered: this.filterJobs(dto),
      rows: this.selectRows({}),
      toRow: (row) => row,
    });
  }

  findJob(id: number): Promise<AdminJobDto | undefined> {
    return this.selectRows({}).where('id', '=', id).executeTakeFirst();
  }

  /** Streams all matching jobs, newest first. */
  streamAll(filters: Filters): AsyncGenerator<AdminJobDto> {
    return streamNewestFirst(this.selectRows(filters), 'id', (row) => row);
  }

  /** Returns the last slot for which each cron job was run. */
  findLastSlots() {
    return (
      query<Tables>(this.em)
        .selectFrom('clock_runs')
        // The first start catches up on slots from before the database existed; they count as run when it was created.
        .select([
          'name',
          sql<Date>`greatest(max(slot), (select min(executed_at) from mikro_orm_migrations))`.as('slot'),
        ])
        .groupBy('name')
        .execute()
    );
  }

  /** Counts the jobs with these names per name and state. */
  countByState(names: readonly string[]) {
    return query<Tables>(this.em)
      .selectFrom('jobs')
      .select(['name', 'state', sql<number>`count(*)::int`.as('count')])
      .where('name', 'in', names)
      .groupBy(['name', 'state'])
      .execute();
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

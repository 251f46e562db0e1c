import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { containing, windowOf, type AdminPage } from '../../../platform/http/admin-list.js';
import { ClockRunSchema } from '../../../platform/jobs/clock-run.entity.js';
import { nextSlotOf } from '../../../platform/jobs/clock-slot.js';
import { knownClockJobs } from '../../../platform/jobs/job-definition.js';
import { JobSchema } from '../../../platform/jobs/job.entity.js';
import type { AdminJobDto, ClockJobDto } from '../dto/admin-lists.dto.js';
import type { JobQueryDto } from '../dto/list-query.dto.js';

type Tables = typeof JobSchema | typeof ClockRunSchema;

const sortable = { createdAt: 'id', runAt: 'run_at', attempts: 'attempts', name: 'name' } as const;

/** Jobs as the database has them, which is the only truth about them. A finished one is deleted. */
@Injectable()
export class JobListService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** One page; `q` finds a part of the name. */
  async page(asked: JobQueryDto): Promise<AdminPage<AdminJobDto>> {
    const { limit, offset, column, direction } = windowOf(asked, sortable);
    const rows = await this.matching(asked)
      .select(['id', 'queue', 'name', 'payload', 'state', 'attempts', 'max_attempts as maxAttempts'])
      .select(['run_at as runAt', 'last_error as lastError', 'created_at as createdAt'])
      .orderBy(column, direction)
      .orderBy('id', direction)
      .limit(limit)
      .offset(offset)
      .execute();
    const { total } = await this.matching(asked)
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow();
    return { rows, total: Number(total) };
  }

  /** Every job of the clock, with its ticks and what is under way of it, by name. */
  async clockJobs(): Promise<ClockJobDto[]> {
    const now = this.clock.now();
    const runs = await query<Tables>(this.em)
      .selectFrom('clock_runs')
      .select(['name', sql<Date>`max(slot)`.as('slot')])
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

  private matching({ state, queue, q }: JobQueryDto) {
    let rows = query<Tables>(this.em).selectFrom('jobs');
    if (state) rows = rows.where('state', '=', state);
    if (queue) rows = rows.where('queue', '=', queue);
    if (q?.trim()) rows = rows.where('name', 'like', containing(q.trim()));
    return rows;
  }
}

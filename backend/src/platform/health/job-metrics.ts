import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { Clock } from '../clock/clock.js';
import { query } from '../database/query.js';
import type { JobSchema } from '../jobs/job.entity.js';
import { queues } from '../jobs/queues.js';
import type { MetricSource } from './metric-sources.js';

const STATES = ['queued', 'running', 'dead'] as const;

/** How much work waits, and for how long. */
@Injectable()
export class JobMetrics implements MetricSource {
  private readonly jobs = new Gauge({
    name: 'zonary_jobs',
    help: 'Jobs by queue and state; dead ones have failed for good.',
    labelNames: ['queue', 'state'],
    registers: [],
  });
  private readonly oldest = new Gauge({
    name: 'zonary_job_oldest_due_seconds',
    help: 'For how long the job that has waited longest has been due.',
    labelNames: ['queue'],
    registers: [],
  });

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  register(registry: Registry): void {
    registry.registerMetric(this.jobs);
    registry.registerMetric(this.oldest);
  }

  async refresh(): Promise<void> {
    const now = this.clock.now();
    const rows = await query<typeof JobSchema>(this.em.fork())
      .selectFrom('jobs')
      .select(['queue', 'state', sql<number>`count(*)::int`.as('count')])
      .select(sql<Date | null>`min(run_at) filter (where state = 'queued' and run_at <= ${now})`.as('due'))
      .groupBy(['queue', 'state'])
      .execute();
    for (const queue of Object.keys(queues)) {
      const own = rows.filter((row) => row.queue === queue);
      for (const state of STATES) {
        this.jobs.set({ queue, state }, own.find((row) => row.state === state)?.count ?? 0);
      }
      const due = own.find((row) => row.due !== null)?.due;
      this.oldest.set({ queue }, due ? (now.getTime() - due.getTime()) / 1000 : 0);
    }
  }
}

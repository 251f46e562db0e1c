import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobSignal } from '../../../platform/jobs/job-signal.js';
import { JobSchema } from '../../../platform/jobs/job.entity.js';
import type { Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';

/** How operators repair jobs. Each change is one conditional statement: a worker that is at it is never disturbed. */
@Injectable()
export class JobRepairService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly signal: JobSignal,
    private readonly audit: Audit,
  ) {}

  /**
   * Makes a job due now that has given up or waits for a later try; one that has given up gets all its tries again.
   * @throws JOB_NOT_FOUND, JOB_IS_RUNNING
   */
  retry(id: number, by: Actor): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const [job] = await this.dueAgain(em).where('id', '=', id).where('state', '!=', 'running').execute();
      if (!job) throw (await this.exists(em, id)) ? adminErrors.JOB_IS_RUNNING() : adminErrors.JOB_NOT_FOUND();
      this.signal.raise(em, job.queue);
      await this.audit.record(em, { type: 'job.retried', ...by, params: { jobId: id, name: job.name } });
    });
  }

  /** Makes all jobs due again that have given up, after what broke them was mended. @returns how many */
  retryDead(by: Actor): Promise<number> {
    return inTransaction(this.em, async (em) => {
      const jobs = await this.dueAgain(em).where('state', '=', 'dead').execute();
      for (const queue of new Set(jobs.map(({ queue }) => queue))) this.signal.raise(em, queue);
      await this.audit.record(em, { type: 'job.all-retried', ...by, params: { jobs: jobs.length } });
      return jobs.length;
    });
  }

  /**
   * Deletes a job that has given up.
   * @throws JOB_NOT_FOUND, JOB_NOT_DEAD
   */
  discard(id: number, by: Actor): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const job = await query<typeof JobSchema>(em)
        .deleteFrom('jobs')
        .where('id', '=', id)
        .where('state', '=', 'dead')
        .returning(['name', 'payload'])
        .executeTakeFirst();
      if (!job) throw (await this.exists(em, id)) ? adminErrors.JOB_NOT_DEAD() : adminErrors.JOB_NOT_FOUND();
      await this.audit.record(em, { type: 'job.discarded', ...by, params: { jobId: id, name: job.name } });
    });
  }

  private dueAgain(em: EntityManager) {
    return query<typeof JobSchema>(em)
      .updateTable('jobs')
      .set({ state: 'queued', attempts: 0, run_at: this.clock.shared(), dispatched_at: null })
      .returning(['queue', 'name']);
  }

  private async exists(em: EntityManager, id: number): Promise<boolean> {
    const row = await query<typeof JobSchema>(em)
      .selectFrom('jobs')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  }
}

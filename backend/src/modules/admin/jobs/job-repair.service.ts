import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobNotifier } from '../../../platform/jobs/job-notifier.js';
import { JobRepository } from '../../../platform/jobs/job.repository.js';
import type { Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';

/** Lets operators repair jobs. Each change is one conditional statement, so a running job is never disturbed. */
@Injectable()
export class JobRepairService {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobRepository,
    private readonly signal: JobNotifier,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Makes a job due now that has failed permanently or waits for a retry. A failed one gets all its attempts again.
   * @throws JOB_NOT_FOUND, JOB_IS_RUNNING
   */
  retryJob(id: number, actor: Actor): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const job = await this.jobs.requeue(em, id);
      if (!job) throw (await this.jobs.exists(em, id)) ? adminErrors.JOB_IS_RUNNING() : adminErrors.JOB_NOT_FOUND();
      this.signal.notify(em, job.queue);
      await this.audit.record(em, { type: 'job.retried', ...actor, params: { jobId: id, name: job.name } });
    });
  }

  /** Retries all permanently failed jobs, after their cause was fixed. @returns the number of jobs */
  retryFailedJobs(actor: Actor): Promise<number> {
    return inTransaction(this.em, async (em) => {
      const jobs = await this.jobs.requeueDead(em);
      for (const queue of new Set(jobs.map(({ queue }) => queue))) this.signal.notify(em, queue);
      await this.audit.record(em, { type: 'job.all-retried', ...actor, params: { jobs: jobs.length } });
      return jobs.length;
    });
  }

  /**
   * Deletes a permanently failed job.
   * @throws JOB_NOT_FOUND, JOB_NOT_DEAD
   */
  discardJob(id: number, actor: Actor): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const job = await this.jobs.deleteDead(em, id);
      if (!job) throw (await this.jobs.exists(em, id)) ? adminErrors.JOB_NOT_DEAD() : adminErrors.JOB_NOT_FOUND();
      await this.audit.record(em, { type: 'job.discarded', ...actor, params: { jobId: id, name: job.name } });
    });
  }
}

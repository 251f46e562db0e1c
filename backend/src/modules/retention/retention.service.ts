import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { addMilliseconds, Clock } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordFailure } from '../../platform/errors/record-failure.js';
import type { CronRunPayload, JobContext } from '../../platform/jobs/job-definition.js';
import { OnJob } from '../../platform/jobs/on-job.decorator.js';
import {
  retentionPolicies,
  type RetentionPolicy,
  daysToMilliseconds,
  retentionPeriodsOf,
} from './retention-policies.sql.js';
import { RemovalRepository } from './removal.repository.js';
import { applyRetention } from './retention.jobs.js';

/** Rows per statement, and so per transaction: no row stays locked for long. */
export const REMOVAL_BATCH_SIZE = 2000;

/**
 * Removes data whose retention period has passed. Each batch is a transaction that also counts what it removed, so a
 * run may be interrupted anywhere or done by two workers concurrently, and the next one continues. A failing policy
 * does not stop the others.
 */
@Injectable()
export class RetentionService {
  private readonly logger = new Logger('Retention');

  constructor(
    private readonly em: EntityManager,
    private readonly removals: RemovalRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * @param signal aborted when the worker stops
   * @param policies defaults to all
   * @throws Error if a policy failed, after all were tried, so that the job is retried
   */
  async applyPolicies(signal: AbortSignal, policies: readonly RetentionPolicy[] = retentionPolicies): Promise<void> {
    const failed: string[] = [];
    for (const kind of policies) {
      signal.throwIfAborted();
      try {
        await this.applyPolicy(kind, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        failed.push(kind.name);
        this.logger.error({ kind: kind.name, err: error }, "Couldn't delete expired data.");
        const record = () => this.removals.recordFailure(kind.name, this.clock.now());
        await recordFailure(this.logger, 'a failed removal', record, { kind: kind.name });
      }
    }
    if (failed.length > 0) throw new Error(`Couldn't delete expired data: ${failed.join(', ')}`);
  }

  @OnJob(applyRetention)
  applyAllPolicies(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    return this.applyPolicies(signal);
  }

  private async applyPolicy(policy: RetentionPolicy, signal: AbortSignal): Promise<void> {
    const period = daysToMilliseconds(retentionPeriodsOf(this.config)[policy.period]);
    if (period === null) return;
    const before = addMilliseconds(this.clock.now(), -period);
    for (let removed = 1; removed > 0;) {
      signal.throwIfAborted();
      removed = await inTransaction(this.em.fork(), async (em) => {
        await this.removals.limitLockWaits(em);
        const count = await policy.removeBatch(em, before, REMOVAL_BATCH_SIZE);
        if (count > 0) await this.removals.addRemoved(em, policy.name, count);
        return count;
      });
    }
    await this.removals.recordSuccess(policy.name, this.clock.now());
  }
}

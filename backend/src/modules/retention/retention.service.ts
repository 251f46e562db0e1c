import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { recordFailure } from '../../platform/errors/record-failure.js';
import type { CronRunPayload, JobContext } from '../../platform/jobs/job-definition.js';
import { OnJob } from '../../platform/jobs/on-job.decorator.js';
import {
  retentionPolicies,
  type RetentionPolicy,
  daysToMilliseconds,
  retentionPeriodsOf,
} from './retention-policies.js';
import type { RemovalSchema } from './removal.entity.js';
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
        const record = () => this.recordResult(this.em.fork(), kind, 0, { failed_at: this.clock.now() });
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
        await sql`set local lock_timeout = '5s'`.execute(em.getKysely());
        const count = await policy.removeBatch(em, before, REMOVAL_BATCH_SIZE);
        if (count > 0) await this.recordResult(em, policy, count, {});
        return count;
      });
    }
    await this.recordResult(this.em.fork(), policy, 0, { finished_at: this.clock.now(), failed_at: null });
  }

  private async recordResult(
    em: EntityManager,
    { name }: RetentionPolicy,
    removed: number,
    outcome: { finished_at?: Date; failed_at?: Date | null },
  ): Promise<void> {
    await query<typeof RemovalSchema>(em)
      .insertInto('removals')
      .values({ kind: name, removed, ...outcome })
      .onConflict((conflict) =>
        conflict.column('kind').doUpdateSet({ removed: sql<number>`removals.removed + ${removed}`, ...outcome }),
      )
      .execute();
  }
}

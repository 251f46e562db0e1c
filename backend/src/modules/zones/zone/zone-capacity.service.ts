import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { recordFailure } from '../../../platform/errors/record-failure.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { UsageService } from '../../plans/usage.service.js';
import { notifyPlanLimitReached } from '../zones.jobs.js';
import { zoneErrors } from '../zones.errors.js';

/** Hides the numbers of the owner's plan from others when a limit is reached, and notifies the owner. */
@Injectable()
export class ZoneCapacityService {
  private readonly logger = new Logger('Zones');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: JobsService,
    private readonly usage: UsageService,
  ) {}

  /**
   * Runs work that may reach a people or storage limit of the owner's plan.
   * @param viewerId the acting user; the owner gets the original error
   * @throws ZONE_FULL instead of PLAN_LIMIT for everyone but the owner, who is notified by email at most once a day per
   * limit
   */
  async translatePlanLimit<T>(ownerId: number, viewerId: number | null, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (viewerId === ownerId || !(error instanceof AppError) || error.code !== 'PLAN_LIMIT') throw error;
      const metric = error.details.limit === 'bytes' ? 'bytes' : 'people';
      const notify = () => this.notifyOwner(ownerId, metric);
      await recordFailure(this.logger, 'the plan limit notification for the owner', notify, { ownerId, metric });
      throw zoneErrors.ZONE_FULL();
    }
  }

  /** Notifies the owner that a limit is reached, at most once a day. */
  notifyOwner(ownerId: number, metric: 'people' | 'bytes'): Promise<void> {
    const now = this.clock.now();
    return inTransaction(this.em.fork(), async (em) => {
      const isFirstNotice = await this.usage.recordLimitNotice(em, ownerId, metric, now, addMilliseconds(now, -DAY));
      if (isFirstNotice) await this.jobs.enqueue(em, notifyPlanLimitReached, { ownerId, metric });
    });
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { UsageSchema } from '../plans/usage.entity.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { tellStorageFull } from './tell-storage-full.job.js';

/** What people other than the owner see when the owner's storage is full: no figures, and the owner is told. */
@Injectable()
export class StorageFullService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Runs work that may meet the limit of the owner's plan.
   * @throws ZONE_FULL instead of PLAN_LIMIT to others than the owner; the owner gets a mail, at most one a day
   */
  async guard<T>(ownerId: number, userId: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (userId === ownerId || !(error instanceof AppError) || error.code !== 'PLAN_LIMIT') throw error;
      await this.tellOwner(ownerId);
      throw zoneErrors.ZONE_FULL();
    }
  }

  private tellOwner(ownerId: number): Promise<void> {
    const now = this.clock.now();
    return inTransaction(this.em.fork(), async (em) => {
      const told = await query<typeof UsageSchema>(em)
        .updateTable('usage')
        .set({ told_at: now })
        .where('owner_id', '=', ownerId)
        .where('metric', '=', 'bytes')
        .where('period', '=', '')
        .where((where) => where.or([where('told_at', 'is', null), where('told_at', '<=', after(now, -DAY))]))
        .executeTakeFirst();
      if (told.numUpdatedRows > 0n) await this.jobs.enqueue(em, tellStorageFull, { ownerId });
    });
  }
}

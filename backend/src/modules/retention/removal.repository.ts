import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import type { RemovalSchema } from './removal.entity.js';

export interface Removal {
  readonly removed: number;
  readonly hasFailed: boolean;
}

/** What retention policies have removed, and how their last run ended. */
@Injectable()
export class RemovalRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns the removals of each policy that has ever run. */
  async findRemovals(): Promise<Map<string, Removal>> {
    const rows = await query<typeof RemovalSchema>(this.em.fork()).selectFrom('removals').selectAll().execute();
    return new Map(
      rows.map(({ kind, removed, failed_at }) => [kind, { removed: Number(removed), hasFailed: failed_at !== null }]),
    );
  }

  /** Adds to the number of removed entries. */
  addRemoved(em: EntityManager, policy: string, removed: number): Promise<void> {
    return this.upsertRemoval(em, policy, removed, {});
  }

  recordSuccess(policy: string, now: Date): Promise<void> {
    return this.upsertRemoval(this.em.fork(), policy, 0, { finished_at: now, failed_at: null });
  }

  recordFailure(policy: string, now: Date): Promise<void> {
    return this.upsertRemoval(this.em.fork(), policy, 0, { failed_at: now });
  }

  /** Limits how long the transaction waits for a lock, so that removals don't queue up behind other work. */
  async limitLockWaits(em: EntityManager): Promise<void> {
    await sql`set local lock_timeout = '5s'`.execute(query(em));
  }

  private async upsertRemoval(
    em: EntityManager,
    kind: string,
    removed: number,
    outcome: { finished_at?: Date; failed_at?: Date | null },
  ): Promise<void> {
    await query<typeof RemovalSchema>(em)
      .insertInto('removals')
      .values({ kind, removed, ...outcome })
      .onConflict((conflict) =>
        conflict.column('kind').doUpdateSet({ removed: sql<number>`removals.removed + ${removed}`, ...outcome }),
      )
      .execute();
  }
}

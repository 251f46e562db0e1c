import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../clock/clock.js';
import { query } from '../../database/query.js';
import type { StorageMoveSchema, StorageMoveState } from './storage-move.entity.js';

export interface StorageMoveProgress {
  readonly copiedObjects: number;
  readonly copiedBytes: number;
  readonly totalObjects: number;
  readonly totalBytes: number;
}

export interface StorageMoveRow extends StorageMoveProgress {
  readonly id: number;
  readonly sourceUrl: string;
  readonly targetUrl: string;
  readonly state: StorageMoveState;
  readonly cursor: string;
  readonly startedAt: Date;
  readonly switchedAt: Date | null;
  readonly endedAt: Date | null;
}

/** Moves of the files. All changes are conditional on the state, so that of two commands one wins. */
@Injectable()
export class StorageMoveRepository {
  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
  ) {}

  /** Returns the open move, or the last one; null if there was none. */
  async findLatest(): Promise<StorageMoveRow | null> {
    return (await this.selectMove().orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null;
  }

  /** Returns the open move, or the last that was done; null if there was none. */
  async findEffective(): Promise<StorageMoveRow | null> {
    const moves = this.selectMove().where('state', '<>', 'cancelled');
    return (await moves.orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null;
  }

  /** Returns the moves that are done: their sources are no longer used. */
  listDone(): Promise<Pick<StorageMoveRow, 'id' | 'sourceUrl'>[]> {
    return this.table()
      .selectFrom('storage_moves')
      .select(['id', 'source_url as sourceUrl'])
      .where('state', '=', 'done')
      .execute();
  }

  /** @returns null if another move is open */
  async insertMove(em: EntityManager, sourceUrl: string, targetUrl: string): Promise<number | null> {
    const now = this.clock.databaseNow();
    const row = await query<typeof StorageMoveSchema>(em)
      .insertInto('storage_moves')
      .values({ source_url: sourceUrl, target_url: targetUrl, started_at: now, updated_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    return row?.id ?? null;
  }

  /** @returns false if the move is no longer in this state */
  async saveProgress(
    { id, state }: Pick<StorageMoveRow, 'id' | 'state'>,
    cursor: string,
    progress: StorageMoveProgress,
  ): Promise<boolean> {
    const changed = await this.table()
      .updateTable('storage_moves')
      .set({
        cursor,
        copied_objects: progress.copiedObjects,
        copied_bytes: progress.copiedBytes,
        total_objects: progress.totalObjects,
        total_bytes: progress.totalBytes,
        updated_at: this.clock.databaseNow(),
      })
      .where('id', '=', id)
      .where('state', '=', state)
      .returning('id')
      .executeTakeFirst();
    return changed !== undefined;
  }

  /** @returns false if the move is in none of the states `from` */
  async changeState(
    em: EntityManager,
    id: number,
    from: readonly StorageMoveState[],
    to: StorageMoveState,
  ): Promise<boolean> {
    const now = this.clock.databaseNow();
    const changed = await query<typeof StorageMoveSchema>(em)
      .updateTable('storage_moves')
      .set({ state: to, cursor: '', updated_at: now })
      .$if(to === 'switched', (move) => move.set({ switched_at: now }))
      .$if(to === 'done', (move) => move.set({ ended_at: now }))
      .where('id', '=', id)
      .where('state', 'in', from)
      .returning('id')
      .executeTakeFirst();
    return changed !== undefined;
  }

  /** Records that the copies of a cancelled move are deleted. */
  async markEnded(id: number): Promise<void> {
    await this.table()
      .updateTable('storage_moves')
      .set({ ended_at: this.clock.databaseNow() })
      .where('id', '=', id)
      .execute();
  }

  /** Whether a move was switched at least this long ago, in milliseconds. */
  async isSwitchedSince(id: number, duration: number): Promise<boolean> {
    const row = await this.table()
      .selectFrom('storage_moves')
      .select('id')
      .where('id', '=', id)
      .where(sql<boolean>`switched_at <= ${this.clock.databaseNow()} - ${duration} * interval '1 millisecond'`)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Forgets that files were moved away from a place, because they are there again. */
  async deleteDone(em: EntityManager, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await query<typeof StorageMoveSchema>(em)
      .deleteFrom('storage_moves')
      .where('id', 'in', ids)
      .where('state', '=', 'done')
      .execute();
  }

  private selectMove() {
    return this.table()
      .selectFrom('storage_moves')
      .select(['id', 'source_url as sourceUrl', 'target_url as targetUrl', 'state', 'cursor'])
      .select(['copied_objects as copiedObjects', 'copied_bytes as copiedBytes'])
      .select(['total_objects as totalObjects', 'total_bytes as totalBytes'])
      .select(['started_at as startedAt', 'switched_at as switchedAt', 'ended_at as endedAt']);
  }

  private table() {
    return query<typeof StorageMoveSchema>(this.orm.em.fork() as EntityManager);
  }
}

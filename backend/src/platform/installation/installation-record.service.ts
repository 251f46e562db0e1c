import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../database/query.js';
import type { Comparison, InstallationSchema } from './installation.entity.js';

/** What the database knows of the storage that belongs to it. */
export interface StorageClaim {
  readonly id: string;
  /** Null before the first use. */
  readonly markedAt: Date | null;
  readonly turn: number;
}

/** Reads and changes the one row about this installation. */
@Injectable()
export class InstallationRecord {
  constructor(private readonly orm: MikroORM) {}

  /** Who this is, and what the database knows of its storage. */
  storage(): Promise<StorageClaim> {
    return this.row()
      .select(['id', 'storage_marked_at as markedAt', 'storage_turn as turn'])
      .executeTakeFirstOrThrow() as Promise<StorageClaim>;
  }

  /** The storage carries the mark. */
  async storageIsMarked(): Promise<void> {
    await this.change()
      .set({ storage_marked_at: sql`coalesce(storage_marked_at, now())` })
      .execute();
  }

  /**
   * The next turn of the mark, unless another process has taken it meanwhile.
   * @param known the turn that the caller knows
   * @param atLeast the turn is larger than this afterwards
   * @returns the new turn, or null when somebody else was first
   */
  async nextTurn(known: number, atLeast = known): Promise<number | null> {
    const row = await this.change()
      .set({ storage_turn: Math.max(known, atLeast) + 1 })
      .where('storage_turn', '=', known)
      .returning('storage_turn as turn')
      .executeTakeFirst();
    return row?.turn ?? null;
  }

  /**
   * Of the secrets that this process is given, the newest first, one must be that of the installation; from then on the
   * newest is.
   * @returns false when none is
   */
  async acceptSecret(fingerprints: readonly string[]): Promise<boolean> {
    const [newest = ''] = fingerprints;
    const changed = await this.change()
      .set({ secret_fingerprint: newest })
      .where(({ eb, or }) => or([eb('secret_fingerprint', 'is', null), eb('secret_fingerprint', 'in', fingerprints)]))
      .returning('id')
      .executeTakeFirst();
    return changed !== undefined;
  }

  /** The secret is lost: the next process that starts sets it anew. */
  async forgetSecret(): Promise<void> {
    await this.change().set({ secret_fingerprint: null }).execute();
  }

  /** Keeps how a comparison of objects and rows went. */
  async compared(comparison: Comparison): Promise<void> {
    const json = sql<Comparison>`${JSON.stringify(comparison)}::jsonb`;
    await this.change().set({ last_comparison: json }).execute();
  }

  /** How the last comparison went; null before the first. */
  async lastComparison(): Promise<Comparison | null> {
    const row = await this.row().select('last_comparison as last').executeTakeFirstOrThrow();
    return (row.last as Comparison | null) ?? null;
  }

  private row() {
    return query<typeof InstallationSchema>(this.em()).selectFrom('installation');
  }

  private change() {
    return query<typeof InstallationSchema>(this.em()).updateTable('installation');
  }

  private em(): EntityManager {
    return this.orm.em.fork() as EntityManager;
  }
}

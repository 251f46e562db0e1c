import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../clock/clock.js';
import { query } from '../database/query.js';
import type { StorageComparison, InstallationSchema } from './installation.entity.js';

/** What the database knows about its storage. */
export interface StorageClaim {
  readonly id: string;
  /** Null before the first use. */
  readonly markedAt: Date | null;
  readonly turn: number;
  /** The last tokens generated for the mark, newest first; some may never have been written to it. */
  readonly words: readonly string[];
  /** The database's current time. */
  readonly now: Date;
}

/** Number of tokens kept; more than can be in the process of being written at once. */
const MAX_HEARTBEAT_TOKENS = 20;

/** Reads and changes the single row about this installation. */
@Injectable()
export class InstallationRepository {
  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
  ) {}

  readStorageClaim(): Promise<StorageClaim> {
    return this.selectRow()
      .select(['id', 'storage_marked_at as markedAt', 'storage_turn as turn', this.words(), this.now()])
      .executeTakeFirstOrThrow() as Promise<StorageClaim>;
  }

  /**
   * Stores a heartbeat token before it is written to the mark.
   * @param currentToken the token in the mark now, which is kept however many came after it; null for none
   * @param minInterval minimum milliseconds since the last token
   * @returns null when the last token is more recent
   */
  async recordHeartbeat(token: string, currentToken: string | null, minInterval: number): Promise<StorageClaim | null> {
    const newest = sql`array[${sql.join(currentToken === null ? [token] : [token, currentToken])}]::text[]`;
    const others = sql`array_remove(coalesce(storage_words, '{}'), ${currentToken}::text)`;
    const now = this.clock.databaseNow();
    const row = await this.updateRow()
      .set({ storage_words: sql`(${newest} || ${others})[1:${sql.lit(MAX_HEARTBEAT_TOKENS)}]`, storage_word_at: now })
      // A time in the future was written before the database's clock was set back.
      .where(
        sql<boolean>`storage_word_at is null or storage_word_at > ${now}
          or storage_word_at <= ${now} - ${minInterval} * interval '1 millisecond'`,
      )
      .returning(['id', 'storage_marked_at as markedAt', 'storage_turn as turn', this.words(), this.now()])
      .executeTakeFirst();
    return (row as StorageClaim | undefined) ?? null;
  }

  /** Records that the storage has the mark. */
  async setStorageMarked(): Promise<void> {
    await this.updateRow()
      .set({ storage_marked_at: sql`coalesce(storage_marked_at, now())` })
      .execute();
  }

  /**
   * Increments the generation of the mark, unless another process has done so.
   * @param known the generation that the caller knows
   * @param minimum the new generation is larger than this
   * @returns the new generation, or null when another process was first
   */
  async incrementStorageGeneration(known: number, minimum = known): Promise<number | null> {
    const row = await this.updateRow()
      .set({ storage_turn: Math.max(known, minimum) + 1 })
      .where('storage_turn', '=', known)
      .returning('storage_turn as turn')
      .executeTakeFirst();
    return row?.turn ?? null;
  }

  /**
   * Accepts this process's secrets if one of them is the installation's, and stores the newest as the installation's.
   * @param fingerprints newest first
   * @returns false when none of them is
   */
  async acceptSecret(fingerprints: readonly string[]): Promise<boolean> {
    const [newest = ''] = fingerprints;
    const changed = await this.updateRow()
      .set({ secret_fingerprint: newest })
      .where(({ eb, or }) => or([eb('secret_fingerprint', 'is', null), eb('secret_fingerprint', 'in', fingerprints)]))
      .returning('id')
      .executeTakeFirst();
    return changed !== undefined;
  }

  /** Clears a lost secret; the next process that starts stores its own. */
  async clearSecret(): Promise<void> {
    await this.updateRow().set({ secret_fingerprint: null }).execute();
  }

  async saveComparison(comparison: StorageComparison): Promise<void> {
    const json = sql<StorageComparison>`${JSON.stringify(comparison)}::jsonb`;
    await this.updateRow().set({ last_comparison: json }).execute();
  }

  /** Returns the result of the last comparison; null before the first. */
  async getLastComparison(): Promise<StorageComparison | null> {
    const row = await this.selectRow().select('last_comparison as last').executeTakeFirstOrThrow();
    return (row.last as StorageComparison | null) ?? null;
  }

  private words() {
    return sql<string[]>`coalesce(storage_words, '{}')`.as('words');
  }

  private now() {
    return this.clock.databaseNow().as('now');
  }

  private selectRow() {
    return query<typeof InstallationSchema>(this.forkEntityManager()).selectFrom('installation');
  }

  private updateRow() {
    return query<typeof InstallationSchema>(this.forkEntityManager()).updateTable('installation');
  }

  private forkEntityManager(): EntityManager {
    return this.orm.em.fork() as EntityManager;
  }
}

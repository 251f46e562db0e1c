import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../clock/clock.js';
import { query } from '../database/query.js';
import type { StorageComparison, InstallationSchema } from './installation.entity.js';

/** What the database knows of the storage that belongs to it. */
export interface StorageClaim {
  readonly id: string;
  /** Null before the first use. */
  readonly markedAt: Date | null;
  readonly turn: number;
  /** Those that the mark has been given last, the newest first; some may never have come into it. */
  readonly words: readonly string[];
  /** By the clock of the database. */
  readonly now: Date;
}

/** Words of the mark that are remembered: more than can be on their way into it at once. */
const MAX_HEARTBEAT_TOKENS = 20;

/** Reads and changes the one row about this installation. */
@Injectable()
export class InstallationRepository {
  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
  ) {}

  /** Who this is, and what the database knows of its storage. */
  readStorageClaim(): Promise<StorageClaim> {
    return this.selectRow()
      .select(['id', 'storage_marked_at as markedAt', 'storage_turn as turn', this.words(), this.now()])
      .executeTakeFirstOrThrow() as Promise<StorageClaim>;
  }

  /**
   * Remembers a word that the mark is about to be given.
   * @param kept the word that is in the mark, which is remembered as well, however many came after it; null for none
   * @param atLeast milliseconds since the last word
   * @returns null when the last one is not that old
   */
  async recordHeartbeat(token: string, currentToken: string | null, minInterval: number): Promise<StorageClaim | null> {
    const newest = sql`array[${sql.join(currentToken === null ? [token] : [token, currentToken])}]::text[]`;
    const others = sql`array_remove(coalesce(storage_words, '{}'), ${currentToken}::text)`;
    const now = this.clock.databaseNow();
    const row = await this.updateRow()
      .set({ storage_words: sql`(${newest} || ${others})[1:${sql.lit(MAX_HEARTBEAT_TOKENS)}]`, storage_word_at: now })
      // A word of the future was given before the clock of the database was set back.
      .where(
        sql<boolean>`storage_word_at is null or storage_word_at > ${now}
          or storage_word_at <= ${now} - ${minInterval} * interval '1 millisecond'`,
      )
      .returning(['id', 'storage_marked_at as markedAt', 'storage_turn as turn', this.words(), this.now()])
      .executeTakeFirst();
    return (row as StorageClaim | undefined) ?? null;
  }

  /** The storage carries the mark. */
  async setStorageMarked(): Promise<void> {
    await this.updateRow()
      .set({ storage_marked_at: sql`coalesce(storage_marked_at, now())` })
      .execute();
  }

  /**
   * The next turn of the mark, unless another process has taken it meanwhile.
   * @param known the turn that the caller knows
   * @param atLeast the turn is larger than this afterwards
   * @returns the new turn, or null when somebody else was first
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
   * Of the secrets that this process is given, the newest first, one must be that of the installation; from then on the
   * newest is.
   * @returns false when none is
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

  /** The secret is lost: the next process that starts sets it anew. */
  async clearSecret(): Promise<void> {
    await this.updateRow().set({ secret_fingerprint: null }).execute();
  }

  /** Keeps how a comparison of objects and rows went. */
  async saveComparison(comparison: StorageComparison): Promise<void> {
    const json = sql<StorageComparison>`${JSON.stringify(comparison)}::jsonb`;
    await this.updateRow().set({ last_comparison: json }).execute();
  }

  /** How the last comparison went; null before the first. */
  async lastComparison(): Promise<StorageComparison | null> {
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

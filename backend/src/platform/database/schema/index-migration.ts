import { Migration } from '@mikro-orm/migrations';

/**
 * A migration that builds indexes on tables that are in use: nobody's writes wait for it. It is not in a transaction, so
 * each of its statements can be done again; an index that an earlier try left unfinished is removed first.
 *
 * ```ts
 * export class Migration0200 extends IndexMigration {
 *   override up(): void {
 *     this.buildIndex('files_name_index', 'on files (name)');
 *   }
 * }
 * ```
 */
export abstract class IndexMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /** @param what table, columns and conditions, as in `create index NAME …`; for a unique one see `buildUniqueIndex` */
  protected buildIndex(name: string, definition: string): void {
    this.buildConcurrently('index', name, definition);
  }

  protected buildUniqueIndex(name: string, definition: string): void {
    this.buildConcurrently('unique index', name, definition);
  }

  private buildConcurrently(kind: string, name: string, definition: string): void {
    // Its locks keep nobody waiting behind them, and it waits for every older transaction: only the limit of a statement ends it.
    this.addSql('set lock_timeout = 0');
    this.addSql(`drop index concurrently if exists "${name}"`);
    this.addSql(`create ${kind} concurrently "${name}" ${definition}`);
    this.addSql('reset lock_timeout');
  }
}

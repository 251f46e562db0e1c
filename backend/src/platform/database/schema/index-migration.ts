import { Migration } from '@mikro-orm/migrations';

/**
 * A migration that builds indexes concurrently, so that writes to the tables aren't blocked. It doesn't run in a
 * transaction, so each of its statements can be repeated. An index that a failed attempt left unfinished is dropped
 * first.
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

  /**
   * @param definition table, columns and conditions, as in `create index NAME …`; for unique indexes see
   *   `buildUniqueIndex`
   */
  protected buildIndex(name: string, definition: string): void {
    this.buildConcurrently('index', name, definition);
  }

  protected buildUniqueIndex(name: string, definition: string): void {
    this.buildConcurrently('unique index', name, definition);
  }

  private buildConcurrently(kind: string, name: string, definition: string): void {
    // The locks of a concurrent build don't block others, and it has to wait for all older transactions. So only the
    // statement timeout limits it.
    this.addSql('set lock_timeout = 0');
    this.addSql(`drop index concurrently if exists "${name}"`);
    this.addSql(`create ${kind} concurrently "${name}" ${definition}`);
    this.addSql('reset lock_timeout');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Whether links to a zone name its first files to whoever holds them. Not of zones that are there and ask their owner about
 * each person: there a link alone opens nothing.
 */
export class Migration256ShowFiles extends Migration {
  override up(): void {
    this.addSql(`alter table "zones" add column "show_files" boolean not null default true;`);
    this.addSql(`update "zones" set "show_files" = false where not "auto_join";`);
  }
}

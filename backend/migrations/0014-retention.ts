import { Migration } from '@mikro-orm/migrations';

/** What retention policies removed. */
export class Migration0014Retention extends Migration {
  override up(): void {
    this.addSql(`
      create table "removals" (
        "kind" varchar(40) primary key,
        "removed" bigint not null default '0',
        "finished_at" timestamptz null,
        "failed_at" timestamptz null
      );
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** The daily digest of administrators. */
export class Migration0013Admin extends Migration {
  override up(): void {
    this.addSql(`
      create table "staff_news" (
        "day" date primary key,
        "job_id" bigint not null,
        "since" timestamptz not null,
        "until" timestamptz not null
      );
    `);
  }
}

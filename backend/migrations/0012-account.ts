import { Migration } from '@mikro-orm/migrations';

/** Accounts that are being erased. */
export class Migration0012Account extends Migration {
  override up(): void {
    this.addSql(`
      create table "erasures" (
        "user_id" bigint primary key,
        "email" varchar(255) not null,
        "language" varchar(5) not null,
        "requested_at" timestamptz not null
      );
      create index "erasures_requested_at_index" on "erasures" ("requested_at");
    `);
  }
}

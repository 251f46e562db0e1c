import { Migration } from '@mikro-orm/migrations';

/** Changes of address, for as long as they can be undone and asked about. */
export class Migration131EmailChanges extends Migration {
  override up(): void {
    this.addSql(`
      create table "email_changes" (
        "id" bigserial primary key,
        "user_id" bigint not null,
        "old_email" varchar(255) not null,
        "new_email" varchar(255) not null,
        "by_admin" boolean not null default false,
        "changed_at" timestamptz not null,
        "undone_at" timestamptz null
      );
      create index "email_changes_user_id_id_index" on "email_changes" ("user_id", "id");
      create index "email_changes_changed_at_index" on "email_changes" ("changed_at");
      alter table "email_changes" add constraint "email_changes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
    `);
  }
}

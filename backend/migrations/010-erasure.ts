import { Migration } from '@mikro-orm/migrations';

export class Migration010Erasure extends Migration {
  override up(): void {
    this.addSql(`
      create table "erasures" (
        "user_id" bigint not null,
        "email" varchar(255) not null,
        "language" varchar(5) not null,
        "requested_at" timestamptz not null,
        primary key ("user_id")
      );
      create index "erasures_requested_at_index" on "erasures" ("requested_at");
      create table "suppressions" (
        "id" bigserial primary key,
        "owner_id" bigint null,
        "digest" varchar(64) not null,
        "reason" varchar(20) not null,
        "created_at" timestamptz not null
      );
      create unique index "suppressions_owner_id_digest_unique" on "suppressions" (coalesce("owner_id", 0), "digest");
      create index "suppressions_owner_id_index" on "suppressions" ("owner_id");
      alter table "suppressions" add constraint "suppressions_owner_id_foreign" foreign key ("owner_id")
        references "users" ("id") on delete cascade;
      create index "activity_user_id_created_at_index" on "activity" ("user_id", "created_at", "id");
    `);
  }
}

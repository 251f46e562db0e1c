import { Migration } from '@mikro-orm/migrations';

/**
 * Activity by month, and what is counted of it by file and member.
 * The month's partitions are created by a job; the default partition takes rows of months without one.
 */
export class Migration0006Activity extends Migration {
  override up(): void {
    this.addSql(`
      create table "activity" (
        "id" bigserial,
        "created_at" timestamptz not null,
        "type" varchar(40) not null,
        "owner_id" bigint null,
        "zone_id" bigint null,
        "user_id" bigint null,
        "file_id" bigint null,
        "params" jsonb not null,
        primary key ("id", "created_at")
      ) partition by range (created_at);
      create index "activity_owner_id_created_at_index" on "activity" ("owner_id", "created_at", "id");
      create index "activity_file_id_created_at_index" on "activity" ("file_id", "created_at");
      create index "activity_created_at_index" on "activity" using brin ("created_at");
      create index "activity_user_id_created_at_index" on "activity" ("user_id", "created_at", "id");
      create index "activity_type_id_index" on "activity" ("type", "id");
      create table "activity_default" partition of "activity" default;
      create table "file_stats" (
        "file_id" bigint primary key,
        "views" int not null default 0,
        "downloads" int not null default 0
      );
      create table "viewings" (
        "id" bigserial primary key,
        "file_id" bigint not null,
        "viewer_key" varchar(80) not null,
        "kind" varchar(10) not null,
        "window_start" timestamptz not null,
        constraint "viewings_file_id_viewer_key_kind_window_start_unique" unique ("file_id", "viewer_key", "kind", "window_start")
      );
      create index "viewings_window_start_index" on "viewings" ("window_start");
      create table "file_openings" (
        "file_id" bigint not null,
        "user_id" bigint not null,
        "first_at" timestamptz not null,
        "last_at" timestamptz not null,
        "views" int not null default 0,
        "downloads" int not null default 0,
        primary key ("file_id", "user_id"),
        constraint "file_openings_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "file_openings_file_id_last_at_index" on "file_openings" ("file_id", "last_at", "user_id");
      create index "file_openings_user_id_index" on "file_openings" ("user_id");
      alter index "activity_default_created_at_idx" set (autosummarize = on);
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

export class Migration004Activity extends Migration {
  override up(): void {
    this.addSql(`
      create table "activity" (
        "id" bigserial not null,
        "created_at" timestamptz not null,
        "type" varchar(40) not null,
        "owner_id" bigint null,
        "zone_id" bigint null,
        "user_id" bigint null,
        "file_id" bigint null,
        "params" jsonb not null,
        primary key ("id", "created_at")
      ) partition by range ("created_at");
      create table "activity_default" partition of "activity" default;
      create index "activity_owner_id_created_at_index" on "activity" ("owner_id", "created_at", "id");
      create index "activity_file_id_created_at_index" on "activity" ("file_id", "created_at");
      create index "activity_created_at_index" on "activity" using brin ("created_at");
      create table "file_stats" (
        "file_id" bigint not null,
        "views" int not null default 0,
        "downloads" int not null default 0,
        primary key ("file_id")
      );
      create table "viewings" (
        "id" bigserial primary key,
        "file_id" bigint not null,
        "viewer_key" varchar(80) not null,
        "kind" varchar(10) not null,
        "window_start" timestamptz not null
      );
      create index "viewings_window_start_index" on "viewings" ("window_start");
      alter table "viewings" add constraint "viewings_file_id_viewer_key_kind_window_start_unique" unique ("file_id", "viewer_key", "kind", "window_start");
    `);
  }
}

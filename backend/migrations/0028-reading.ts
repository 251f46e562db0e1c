import { Migration } from '@mikro-orm/migrations';

/**
 * What members read, page by page, and whether a zone records it.
 * The month's partitions are created by a job; the default partition takes rows of months without one.
 */
export class Migration0028Reading extends Migration {
  override up(): void {
    this.addSql(`
      alter table "zones" add column "records_reading" boolean not null default true;
      create table "page_reads" (
        "id" bigserial,
        "created_at" timestamptz not null,
        "file_id" bigint not null,
        "version" int not null,
        "user_id" bigint not null,
        "page" int not null,
        "ms" int not null,
        "is_first" boolean not null,
        primary key ("id", "created_at")
      ) partition by range (created_at);
      create index "page_reads_file_id_created_at_index" on "page_reads" ("file_id", "created_at");
      create index "page_reads_user_id_created_at_index" on "page_reads" ("user_id", "created_at", "id");
      create index "page_reads_created_at_index" on "page_reads" using brin ("created_at");
      create table "page_reads_default" partition of "page_reads" default;
      alter index "page_reads_default_created_at_idx" set (autosummarize = on);
      create table "file_readers" (
        "file_id" bigint not null,
        "version" int not null,
        "user_id" bigint not null,
        "zone_id" bigint not null,
        "first_at" timestamptz not null,
        "last_at" timestamptz not null,
        "ms" bigint not null,
        "pages" bytea not null,
        "pages_read" int not null,
        "last_page" int not null,
        primary key ("file_id", "version", "user_id"),
        constraint "file_readers_file_id_foreign" foreign key ("file_id") references "files" ("id") on delete cascade,
        constraint "file_readers_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "file_readers_file_id_version_last_at_index" on "file_readers" ("file_id", "version", "last_at", "user_id");
      create index "file_readers_user_id_index" on "file_readers" ("user_id");
      create table "reader_batches" (
        "user_id" bigint primary key,
        "last_at" timestamptz null,
        "recent_ids" uuid[] not null,
        constraint "reader_batches_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create table "file_reading_day" (
        "file_id" bigint not null,
        "day" date not null,
        "readers" int not null,
        "ms" bigint not null,
        primary key ("file_id", "day"),
        constraint "file_reading_day_file_id_foreign" foreign key ("file_id") references "files" ("id") on delete cascade
      );
      create table "file_page_day" (
        "file_id" bigint not null,
        "version" int not null,
        "page" int not null,
        "day" date not null,
        "readers" int not null,
        "ms" bigint not null,
        primary key ("file_id", "version", "page", "day"),
        constraint "file_page_day_file_id_foreign" foreign key ("file_id") references "files" ("id") on delete cascade
      );
    `);
  }
}

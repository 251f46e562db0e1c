import { Migration } from '@mikro-orm/migrations';

/** Folders that receive files from members, and who sent which file. */
export class Migration0025FileRequests extends Migration {
  override up(): void {
    this.addSql(`
      create table "file_requests" (
        "folder_id" bigint primary key,
        "is_private" boolean not null,
        "instructions" varchar(2000) null,
        "closes_at" timestamptz null,
        "max_files_per_person" int null,
        "max_file_bytes" bigint null,
        "created_by_id" bigint null,
        "created_at" timestamptz not null,
        constraint "file_requests_limits_check" check ((max_files_per_person is null or max_files_per_person >= 1) and (max_file_bytes is null or max_file_bytes >= 1)),
        constraint "file_requests_folder_id_foreign" foreign key ("folder_id") references "folders" ("id") on delete cascade,
        constraint "file_requests_created_by_id_foreign" foreign key ("created_by_id") references "users" ("id") on delete set null
      );
      create index "file_requests_created_by_id_index" on "file_requests" ("created_by_id");
      create table "file_submissions" (
        "file_id" bigint primary key,
        "folder_id" bigint not null,
        "user_id" bigint null,
        "is_private" boolean not null,
        constraint "file_submissions_file_id_foreign" foreign key ("file_id") references "files" ("id") on delete cascade,
        constraint "file_submissions_folder_id_foreign" foreign key ("folder_id") references "folders" ("id") on delete cascade,
        constraint "file_submissions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null
      );
      create index "file_submissions_folder_id_user_id_index" on "file_submissions" ("folder_id", "user_id");
      create index "file_submissions_user_id_index" on "file_submissions" ("user_id");
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Earlier versions of files, how many a zone keeps, and uploads that replace a file. */
export class Migration0018FileVersions extends Migration {
  override up(): void {
    this.addSql(`
      alter table "files"
        add column "version" int not null default 1,
        add column "replaced_at" timestamptz null,
        add constraint "files_version_check" check ((version = 1) = (replaced_at is null));
      create table "file_versions" (
        "id" bigserial primary key,
        "file_id" bigint not null,
        "number" int not null,
        "original_name" varchar(255) collate "tr_numeric" not null,
        "mime_type" varchar(255) not null,
        "size" bigint not null,
        "sha256" varchar(64) not null,
        "object_key" varchar(100) not null,
        "storage_type" varchar(10) not null,
        "uploaded_by_id" bigint null,
        "uploaded_at" timestamptz not null,
        "created_at" timestamptz not null,
        constraint "file_versions_object_key_unique" unique ("object_key"),
        constraint "file_versions_file_id_number_unique" unique ("file_id", "number"),
        constraint "file_versions_size_check" check (size >= 0),
        constraint "file_versions_number_check" check (number >= 1),
        constraint "file_versions_file_id_foreign" foreign key ("file_id") references "files" ("id"),
        constraint "file_versions_uploaded_by_id_foreign" foreign key ("uploaded_by_id") references "users" ("id") on delete set null
      );
      create index "file_versions_uploaded_by_id_index" on "file_versions" ("uploaded_by_id");
      alter table "zones"
        add column "versions_kept" smallint not null default 10,
        add column "versions_days" smallint null,
        add constraint "zones_versions_kept_check" check (versions_kept >= 0 and versions_kept <= 100),
        add constraint "zones_versions_days_check" check (versions_days >= 1 and versions_days <= 3650);
      alter table "resumable_uploads"
        add column "replaces_id" bigint null,
        add column "if_version" int null,
        add column "on_conflict" varchar(10) not null default 'refuse',
        add constraint "resumable_uploads_on_conflict_check" check (on_conflict in ('refuse', 'rename', 'replace'));
      update "resumable_uploads" set "on_conflict" = 'rename' where "rename";
      alter table "resumable_uploads" drop column "rename";
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

export class Migration013ResumableUploads extends Migration {
  override up(): void {
    this.addSql(`
      create table "resumable_uploads" (
        "id" uuid not null primary key,
        "upload_id" bigint null,
        "user_id" bigint not null,
        "zone_id" bigint not null,
        "folder_id" bigint null,
        "name" varchar(255) not null,
        "rename" boolean not null,
        "length" bigint not null,
        "received" bigint not null default '0',
        "file_id" bigint null,
        "expires_at" timestamptz not null,
        "created_at" timestamptz not null
      );
      alter table "resumable_uploads" add constraint "resumable_uploads_upload_id_unique" unique ("upload_id");
      create index "resumable_uploads_user_id_created_at_id_index" on "resumable_uploads" ("user_id", "created_at", "id");
      create index "resumable_uploads_zone_id_index" on "resumable_uploads" ("zone_id");
      create index "resumable_uploads_folder_id_index" on "resumable_uploads" ("folder_id");
      create index "resumable_uploads_file_id_index" on "resumable_uploads" ("file_id");
      create index "resumable_uploads_expires_at_index" on "resumable_uploads" ("expires_at");
      alter table "resumable_uploads" add constraint "resumable_uploads_received_check" check (received >= 0 and received <= length);
      create table "upload_parts" (
        "id" bigserial primary key,
        "upload_id" bigint not null,
        "object_key" varchar(100) not null,
        "start" bigint not null,
        "size" bigint null
      );
      alter table "upload_parts" add constraint "upload_parts_object_key_unique" unique ("object_key");
      create index "upload_parts_upload_id_index" on "upload_parts" ("upload_id");
      create unique index "upload_parts_upload_id_start_unique" on "upload_parts" ("upload_id", "start") where "size" is not null;
      create table "upload_locks" (
        "id" uuid not null primary key,
        "token" uuid not null,
        "held_until" timestamptz not null,
        "wanted" boolean not null default false
      );
      alter table "resumable_uploads" add constraint "resumable_uploads_upload_id_foreign" foreign key ("upload_id") references "uploads" ("id") on delete cascade;
      alter table "resumable_uploads" add constraint "resumable_uploads_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "resumable_uploads" add constraint "resumable_uploads_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade;
      alter table "resumable_uploads" add constraint "resumable_uploads_folder_id_foreign" foreign key ("folder_id") references "folders" ("id") on delete cascade;
      alter table "resumable_uploads" add constraint "resumable_uploads_file_id_foreign" foreign key ("file_id") references "files" ("id") on delete cascade;
      alter table "upload_parts" add constraint "upload_parts_upload_id_foreign" foreign key ("upload_id") references "uploads" ("id") on delete cascade;
    `);
  }
}

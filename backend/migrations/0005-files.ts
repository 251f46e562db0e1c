import { Migration } from '@mikro-orm/migrations';

/** Files and folders, uploads, trash, thumbnails and rendered pages. */
export class Migration0005Files extends Migration {
  override up(): void {
    this.addSql(`
      create table "uploads" (
        "id" bigserial primary key,
        "object_key" varchar(100) not null,
        "owner_id" bigint not null,
        "reserved" bigint not null default '0',
        "lease_until" timestamptz not null,
        "created_at" timestamptz not null,
        constraint "uploads_object_key_unique" unique ("object_key"),
        constraint "uploads_reserved_check" check (reserved >= 0),
        constraint "uploads_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade
      );
      create index "uploads_owner_id_index" on "uploads" ("owner_id");
      create index "uploads_lease_until_index" on "uploads" ("lease_until");
      create table "folders" (
        "id" bigserial primary key,
        "name" varchar(255) collate "tr_numeric" not null,
        "name_key" text not null,
        "zone_id" bigint not null,
        "parent_id" bigint null,
        "created_by_id" bigint null,
        "trashed_at" timestamptz null,
        "trash_id" uuid null,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null,
        "search_key" text null generated always as (left(search_fold(name_key), 300)) stored,
        constraint "folders_trash_check" check ((trashed_at is null) = (trash_id is null)),
        constraint "folders_created_by_id_foreign" foreign key ("created_by_id") references "users" ("id") on delete set null,
        constraint "folders_parent_id_foreign" foreign key ("parent_id") references "folders" ("id") on delete cascade,
        constraint "folders_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade
      );
      create index "folders_zone_id_parent_id_name_index" on "folders" ("zone_id", coalesce("parent_id", 0), "name", "id") where "trashed_at" is null;
      create index "folders_parent_id_index" on "folders" ("parent_id");
      create index "folders_zone_id_index" on "folders" ("zone_id");
      create index "folders_created_by_id_index" on "folders" ("created_by_id");
      create index "folders_trash_id_index" on "folders" ("trash_id") where trash_id is not null;
      create index "folders_search_key_trigram_index" on "folders" using gin ("search_key" gin_trgm_ops) where "trashed_at" is null;
      create unique index "folders_zone_id_parent_id_name_key_unique" on "folders" ("zone_id", coalesce("parent_id", 0), "name_key") include ("id", "parent_id", "search_key") where "trashed_at" is null;
      create table "folder_mirrors" (
        "id" bigserial primary key,
        "source_folder_id" bigint not null,
        "source_zone_id" bigint not null,
        "target_zone_id" bigint not null,
        "target_folder_id" bigint not null,
        "mirror_type" varchar(20) not null default 'one_way',
        "is_active" boolean not null default true,
        "created_by_id" bigint null,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null,
        constraint "folder_mirrors_source_folder_id_target_zone_id_unique" unique ("source_folder_id", "target_zone_id"),
        constraint "folder_mirrors_target_folder_id_unique" unique ("target_folder_id"),
        constraint "folder_mirrors_zones_check" check (source_zone_id <> target_zone_id),
        constraint "folder_mirrors_source_folder_id_foreign" foreign key ("source_folder_id") references "folders" ("id") on delete cascade,
        constraint "folder_mirrors_source_zone_id_foreign" foreign key ("source_zone_id") references "zones" ("id") on delete cascade,
        constraint "folder_mirrors_target_zone_id_foreign" foreign key ("target_zone_id") references "zones" ("id") on delete cascade,
        constraint "folder_mirrors_target_folder_id_foreign" foreign key ("target_folder_id") references "folders" ("id") on delete cascade,
        constraint "folder_mirrors_created_by_id_foreign" foreign key ("created_by_id") references "users" ("id") on delete set null
      );
      create index "folder_mirrors_source_zone_id_index" on "folder_mirrors" ("source_zone_id");
      create index "folder_mirrors_target_zone_id_index" on "folder_mirrors" ("target_zone_id");
      create index "folder_mirrors_created_by_id_index" on "folder_mirrors" ("created_by_id");
      create table "files" (
        "id" bigserial primary key,
        "original_name" varchar(255) collate "tr_numeric" not null,
        "name_key" text not null,
        "mime_type" varchar(255) not null,
        "size" bigint not null,
        "sha256" varchar(64) not null,
        "object_key" varchar(100) not null,
        "storage_type" varchar(10) not null,
        "zone_id" bigint not null,
        "folder_id" bigint null,
        "uploaded_by_id" bigint null,
        "allow_download" boolean not null default true,
        "trashed_at" timestamptz null,
        "trash_id" uuid null,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null,
        "upload_key" uuid null,
        "search_key" text null generated always as (left(search_fold(name_key), 300)) stored,
        "allow_text" boolean not null default true,
        constraint "files_object_key_unique" unique ("object_key"),
        constraint "files_trash_check" check ((trashed_at is null) = (trash_id is null)),
        constraint "files_size_check" check (size >= 0),
        constraint "files_uploaded_by_id_foreign" foreign key ("uploaded_by_id") references "users" ("id") on delete set null,
        constraint "files_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade,
        constraint "files_folder_id_foreign" foreign key ("folder_id") references "folders" ("id")
      );
      create index "files_zone_id_folder_id_name_index" on "files" ("zone_id", coalesce("folder_id", 0), "original_name", "id") where "trashed_at" is null;
      create index "files_zone_id_folder_id_date_index" on "files" ("zone_id", coalesce("folder_id", 0), "created_at", "id") include ("folder_id") where "trashed_at" is null;
      create index "files_zone_id_folder_id_type_index" on "files" ("zone_id", coalesce("folder_id", 0), "mime_type", "original_name", "id") where "trashed_at" is null;
      create index "files_zone_id_folder_id_size_index" on "files" ("zone_id", coalesce("folder_id", 0), "size", "id") where "trashed_at" is null;
      create index "files_folder_id_index" on "files" ("folder_id");
      create index "files_zone_id_index" on "files" ("zone_id");
      create index "files_uploaded_by_id_index" on "files" ("uploaded_by_id");
      create index "files_trash_id_index" on "files" ("trash_id") where trash_id is not null;
      create index "files_zone_id_created_at_id_index" on "files" ("zone_id", "created_at", "id") where "trashed_at" is null;
      create index "files_upload_key_index" on "files" ("uploaded_by_id", "upload_key") where upload_key is not null;
      create index "files_search_key_trigram_index" on "files" using gin ("search_key" gin_trgm_ops) where "trashed_at" is null;
      create unique index "files_zone_id_folder_id_name_key_unique" on "files" ("zone_id", coalesce("folder_id", 0), "name_key") include ("id", "folder_id", "search_key") where "trashed_at" is null;
      create table "trash_entries" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "trash_id" uuid not null,
        "file_id" bigint null,
        "folder_id" bigint null,
        "files" int not null,
        "bytes" bigint not null,
        "deleted_by_id" bigint null,
        "deleted_at" timestamptz not null,
        "purging_at" timestamptz null,
        constraint "trash_entries_folder_id_unique" unique ("folder_id"),
        constraint "trash_entries_file_id_unique" unique ("file_id"),
        constraint "trash_entries_kind_check" check ((file_id is null) <> (folder_id is null)),
        constraint "trash_entries_deleted_by_id_foreign" foreign key ("deleted_by_id") references "users" ("id") on delete set null,
        constraint "trash_entries_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade,
        constraint "trash_entries_file_id_foreign" foreign key ("file_id") references "files" ("id") on delete cascade,
        constraint "trash_entries_folder_id_foreign" foreign key ("folder_id") references "folders" ("id") on delete cascade
      );
      create index "trash_entries_zone_id_id_index" on "trash_entries" ("zone_id", "id");
      create index "trash_entries_trash_id_index" on "trash_entries" ("trash_id");
      create index "trash_entries_deleted_at_index" on "trash_entries" ("deleted_at");
      create index "trash_entries_deleted_by_id_index" on "trash_entries" ("deleted_by_id");
      create table "resumable_uploads" (
        "id" uuid primary key,
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
        "created_at" timestamptz not null,
        constraint "resumable_uploads_upload_id_unique" unique ("upload_id"),
        constraint "resumable_uploads_received_check" check (received >= 0 and received <= length),
        constraint "resumable_uploads_upload_id_foreign" foreign key ("upload_id") references "uploads" ("id") on delete cascade,
        constraint "resumable_uploads_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade,
        constraint "resumable_uploads_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade,
        constraint "resumable_uploads_folder_id_foreign" foreign key ("folder_id") references "folders" ("id") on delete cascade,
        constraint "resumable_uploads_file_id_foreign" foreign key ("file_id") references "files" ("id") on delete cascade
      );
      create index "resumable_uploads_user_id_created_at_id_index" on "resumable_uploads" ("user_id", "created_at", "id");
      create index "resumable_uploads_zone_id_index" on "resumable_uploads" ("zone_id");
      create index "resumable_uploads_folder_id_index" on "resumable_uploads" ("folder_id");
      create index "resumable_uploads_file_id_index" on "resumable_uploads" ("file_id");
      create index "resumable_uploads_expires_at_index" on "resumable_uploads" ("expires_at");
      create table "upload_parts" (
        "id" bigserial primary key,
        "upload_id" bigint not null,
        "object_key" varchar(100) not null,
        "start" bigint not null,
        "size" bigint null,
        constraint "upload_parts_object_key_unique" unique ("object_key"),
        constraint "upload_parts_upload_id_foreign" foreign key ("upload_id") references "uploads" ("id") on delete cascade
      );
      create index "upload_parts_upload_id_index" on "upload_parts" ("upload_id");
      create unique index "upload_parts_upload_id_start_unique" on "upload_parts" ("upload_id", "start") where "size" is not null;
      create table "upload_locks" (
        "id" uuid primary key,
        "token" uuid not null,
        "held_until" timestamptz not null,
        "wanted" boolean not null default false
      );
      create table "file_thumbnails" (
        "file_id" bigint primary key,
        "object_key" varchar(100) not null,
        "size" int not null,
        constraint "file_thumbnails_object_key_unique" unique ("object_key"),
        constraint "file_thumbnails_file_id_foreign" foreign key ("file_id") references "files" ("id") on update cascade on delete cascade
      );
      create table "quarantined_objects" (
        "id" bigserial primary key,
        "object_key" varchar(200) not null,
        "storage_type" varchar(10) not null,
        "size" bigint not null,
        "found_at" timestamptz not null,
        constraint "quarantined_objects_object_key_unique" unique ("object_key")
      );
      create index "quarantined_objects_found_at_index" on "quarantined_objects" ("found_at");
      create table "file_documents" (
        "file_id" bigint primary key,
        "content_key" varchar(100) not null,
        "state" varchar(10) not null,
        "failure" varchar(30) null,
        "page_count" int null,
        "sizes" jsonb null,
        "first_at" timestamptz null,
        "updated_at" timestamptz not null,
        "outline" jsonb null,
        "texts" varchar(10) not null default 'none',
        "hidden_sheets" int not null default 0,
        "hidden_deletions" boolean not null default false,
        "hidden_layers" boolean not null default false,
        "attachments" jsonb null,
        constraint "file_documents_texts_check" check (texts in ('none', 'waiting', 'ready')),
        constraint "file_documents_failure_check" check ((state in ('failed', 'none')) = (failure is not null)),
        constraint "file_documents_state_check" check (state in ('waiting', 'ready', 'failed', 'none')),
        constraint "file_documents_file_id_foreign" foreign key ("file_id") references "files" ("id") on update cascade on delete cascade
      );
      create index "file_documents_waiting_index" on "file_documents" ("state", "file_id") where "state" = 'waiting';
      create table "file_pages" (
        "file_id" bigint not null,
        "page" int not null,
        "width" smallint not null,
        "object_key" varchar(100) not null,
        "size" int not null,
        primary key ("file_id", "page", "width"),
        constraint "file_pages_object_key_unique" unique ("object_key"),
        constraint "file_pages_file_id_foreign" foreign key ("file_id") references "file_documents" ("file_id") on delete cascade
      );
      create table "file_broken_pages" (
        "file_id" bigint not null,
        "page" int not null,
        "failure" varchar(30) not null,
        primary key ("file_id", "page"),
        constraint "file_broken_pages_file_id_foreign" foreign key ("file_id") references "file_documents" ("file_id") on delete cascade
      );
      create table "file_page_texts" (
        "file_id" bigint not null,
        "page" int not null,
        "text" text not null,
        "search_text" text null generated always as (search_fold(replace(text, U&'\\00AD', ''))) stored,
        "layer_key" varchar(100) null,
        primary key ("file_id", "page"),
        constraint "file_page_texts_layer_key_unique" unique ("layer_key"),
        constraint "file_page_texts_file_id_foreign" foreign key ("file_id") references "file_documents" ("file_id") on delete cascade
      );
      create table "file_pdfs" (
        "file_id" bigint primary key,
        "object_key" varchar(100) not null,
        "size" int not null,
        constraint "file_pdfs_object_key_unique" unique ("object_key"),
        constraint "file_pdfs_file_id_foreign" foreign key ("file_id") references "file_documents" ("file_id") on update cascade on delete cascade
      );
      create function "folder_mirrors_take_mount_fn"() returns trigger language plpgsql as $$
      begin
        delete from folders where id = old.target_folder_id;
        return old;
      end; $$;
      create trigger "take_mount" after delete on "folder_mirrors"
        for each row execute function "folder_mirrors_take_mount_fn"();
    `);
  }
}

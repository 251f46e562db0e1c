import { Migration } from '@mikro-orm/migrations';

export class Migration005Files extends Migration {
  override up(): void {
    this.addSql(`
      create table "uploads" (
        "id" bigserial primary key,
        "object_key" varchar(100) not null,
        "owner_id" bigint not null,
        "reserved" bigint not null default '0',
        "lease_until" timestamptz not null,
        "created_at" timestamptz not null
      );
      alter table "uploads" add constraint "uploads_object_key_unique" unique ("object_key");
      create index "uploads_owner_id_index" on "uploads" ("owner_id");
      create index "uploads_lease_until_index" on "uploads" ("lease_until");
      alter table "uploads" add constraint "uploads_reserved_check" check (reserved >= 0);
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
        "updated_at" timestamptz not null
      );
      create unique index "folders_zone_id_parent_id_name_key_unique" on "folders" ("zone_id", coalesce("parent_id", 0), "name_key") where "trashed_at" is null;
      create index "folders_zone_id_parent_id_name_index" on "folders" ("zone_id", coalesce("parent_id", 0), "name", "id") where "trashed_at" is null;
      create index "folders_parent_id_index" on "folders" ("parent_id");
      create index "folders_zone_id_index" on "folders" ("zone_id");
      create index "folders_created_by_id_index" on "folders" ("created_by_id");
      create index "folders_trash_id_index" on "folders" ("trash_id") where trash_id is not null;
      alter table "folders" add constraint "folders_trash_check" check ((trashed_at is null) = (trash_id is null));
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
        "updated_at" timestamptz not null
      );
      create index "folder_mirrors_source_zone_id_index" on "folder_mirrors" ("source_zone_id");
      create index "folder_mirrors_target_zone_id_index" on "folder_mirrors" ("target_zone_id");
      create index "folder_mirrors_created_by_id_index" on "folder_mirrors" ("created_by_id");
      alter table "folder_mirrors" add constraint "folder_mirrors_source_folder_id_target_zone_id_unique" unique ("source_folder_id", "target_zone_id");
      alter table "folder_mirrors" add constraint "folder_mirrors_target_folder_id_unique" unique ("target_folder_id");
      alter table "folder_mirrors" add constraint "folder_mirrors_zones_check" check (source_zone_id <> target_zone_id);
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
        "updated_at" timestamptz not null
      );
      alter table "files" add constraint "files_object_key_unique" unique ("object_key");
      create unique index "files_zone_id_folder_id_name_key_unique" on "files" ("zone_id", coalesce("folder_id", 0), "name_key") where "trashed_at" is null;
      create index "files_zone_id_folder_id_name_index" on "files" ("zone_id", coalesce("folder_id", 0), "original_name", "id") where "trashed_at" is null;
      create index "files_zone_id_folder_id_date_index" on "files" ("zone_id", coalesce("folder_id", 0), "created_at", "id") include ("folder_id") where "trashed_at" is null;
      create index "files_zone_id_folder_id_type_index" on "files" ("zone_id", coalesce("folder_id", 0), "mime_type", "original_name", "id") where "trashed_at" is null;
      create index "files_zone_id_folder_id_size_index" on "files" ("zone_id", coalesce("folder_id", 0), "size", "id") where "trashed_at" is null;
      create index "files_folder_id_index" on "files" ("folder_id");
      create index "files_zone_id_index" on "files" ("zone_id");
      create index "files_uploaded_by_id_index" on "files" ("uploaded_by_id");
      create index "files_trash_id_index" on "files" ("trash_id") where trash_id is not null;
      alter table "files" add constraint "files_trash_check" check ((trashed_at is null) = (trash_id is null));
      alter table "files" add constraint "files_size_check" check (size >= 0);
      alter table "uploads" add constraint "uploads_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;
      alter table "folders" add constraint "folders_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade;
      alter table "folders" add constraint "folders_parent_id_foreign" foreign key ("parent_id") references "folders" ("id") on delete cascade;
      alter table "folders" add constraint "folders_created_by_id_foreign" foreign key ("created_by_id") references "users" ("id") on delete set null;
      alter table "folder_mirrors" add constraint "folder_mirrors_source_folder_id_foreign" foreign key ("source_folder_id") references "folders" ("id") on delete cascade;
      alter table "folder_mirrors" add constraint "folder_mirrors_source_zone_id_foreign" foreign key ("source_zone_id") references "zones" ("id") on delete cascade;
      alter table "folder_mirrors" add constraint "folder_mirrors_target_zone_id_foreign" foreign key ("target_zone_id") references "zones" ("id") on delete cascade;
      alter table "folder_mirrors" add constraint "folder_mirrors_target_folder_id_foreign" foreign key ("target_folder_id") references "folders" ("id") on delete cascade;
      alter table "folder_mirrors" add constraint "folder_mirrors_created_by_id_foreign" foreign key ("created_by_id") references "users" ("id") on delete set null;
      alter table "files" add constraint "files_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade;
      alter table "files" add constraint "files_folder_id_foreign" foreign key ("folder_id") references "folders" ("id") on delete no action;
      alter table "files" add constraint "files_uploaded_by_id_foreign" foreign key ("uploaded_by_id") references "users" ("id") on delete set null;
    `);
  }
}

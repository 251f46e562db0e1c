import { Migration } from '@mikro-orm/migrations';

export class Migration011TrashAndSearch extends Migration {
  override up(): void {
    this.addSql(`
      create extension if not exists pg_trgm;
      create index "files_name_key_trigram_index" on "files" using gin ("name_key" gin_trgm_ops) where "trashed_at" is null;
      create index "folders_name_key_trigram_index" on "folders" using gin ("name_key" gin_trgm_ops) where "trashed_at" is null;
      drop index "files_zone_id_folder_id_name_key_unique";
      create unique index "files_zone_id_folder_id_name_key_unique" on "files" ("zone_id", coalesce("folder_id", 0), "name_key") include ("id", "folder_id") where "trashed_at" is null;
      drop index "folders_zone_id_parent_id_name_key_unique";
      create unique index "folders_zone_id_parent_id_name_key_unique" on "folders" ("zone_id", coalesce("parent_id", 0), "name_key") include ("id", "parent_id") where "trashed_at" is null;
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
        "purging_at" timestamptz null
      );
      alter table "trash_entries" add constraint "trash_entries_file_id_unique" unique ("file_id");
      alter table "trash_entries" add constraint "trash_entries_folder_id_unique" unique ("folder_id");
      create index "trash_entries_zone_id_id_index" on "trash_entries" ("zone_id", "id");
      create index "trash_entries_trash_id_index" on "trash_entries" ("trash_id");
      create index "trash_entries_deleted_at_index" on "trash_entries" ("deleted_at");
      create index "trash_entries_deleted_by_id_index" on "trash_entries" ("deleted_by_id");
      alter table "trash_entries" add constraint "trash_entries_kind_check" check ((file_id is null) <> (folder_id is null));
      alter table "trash_entries" add constraint "trash_entries_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade;
      alter table "trash_entries" add constraint "trash_entries_file_id_foreign" foreign key ("file_id") references "files" ("id") on delete cascade;
      alter table "trash_entries" add constraint "trash_entries_folder_id_foreign" foreign key ("folder_id") references "folders" ("id") on delete cascade;
      alter table "trash_entries" add constraint "trash_entries_deleted_by_id_foreign" foreign key ("deleted_by_id") references "users" ("id") on delete set null;
      insert into "trash_entries" ("zone_id", "trash_id", "folder_id", "files", "bytes", "deleted_at")
        with recursive tree as (
          select f.id, f.id as top, f.zone_id, f.trash_id, f.trashed_at from folders f left join folders p on p.id = f.parent_id
          where f.trash_id is not null and p.trash_id is distinct from f.trash_id
          union all
          select f.id, t.top, t.zone_id, t.trash_id, t.trashed_at from tree t join folders f on f.parent_id = t.id and f.trash_id = t.trash_id
        )
        select t.zone_id, t.trash_id, t.top, count(x.id), coalesce(sum(x.size), 0), t.trashed_at
        from tree t left join files x on x.folder_id = t.id and x.trash_id = t.trash_id
        group by t.zone_id, t.trash_id, t.top, t.trashed_at;
      insert into "trash_entries" ("zone_id", "trash_id", "file_id", "files", "bytes", "deleted_at")
        select f.zone_id, f.trash_id, f.id, 1, f.size, f.trashed_at from files f left join folders p on p.id = f.folder_id
        where f.trash_id is not null and p.trash_id is distinct from f.trash_id;
    `);
  }
}

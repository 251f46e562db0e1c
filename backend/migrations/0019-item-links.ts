import { Migration } from '@mikro-orm/migrations';

/** Links to one file or folder for people outside of its zone, and the guests who entered by them. */
export class Migration0019ItemLinks extends Migration {
  override up(): void {
    this.addSql(`
      create table "item_links" (
        "id" bigserial primary key,
        "file_id" bigint null,
        "folder_id" bigint null,
        "name" varchar(255) not null,
        "token" varchar(64) not null,
        "expires_at" timestamptz null,
        "max_uses" int null,
        "current_uses" int not null default 0,
        "is_active" boolean not null default true,
        "password" varchar(255) null,
        "needs_email" boolean not null default false,
        "allow_download" boolean not null default true,
        "created_by_id" bigint null,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null,
        constraint "item_links_token_unique" unique ("token"),
        constraint "item_links_item_check" check ((file_id is null) <> (folder_id is null)),
        constraint "item_links_uses_check" check (current_uses >= 0 and (max_uses is null or (max_uses >= 1 and current_uses <= max_uses))),
        constraint "item_links_file_id_foreign" foreign key ("file_id") references "files" ("id") on delete cascade,
        constraint "item_links_folder_id_foreign" foreign key ("folder_id") references "folders" ("id") on delete cascade,
        constraint "item_links_created_by_id_foreign" foreign key ("created_by_id") references "users" ("id") on delete set null
      );
      create index "item_links_file_id_id_index" on "item_links" ("file_id", "id");
      create index "item_links_folder_id_id_index" on "item_links" ("folder_id", "id");
      create index "item_links_created_by_id_index" on "item_links" ("created_by_id");
      create table "item_guests" (
        "id" bigserial primary key,
        "link_id" bigint not null,
        "email" varchar(255) null,
        "key" uuid not null,
        "first_at" timestamptz not null,
        "last_at" timestamptz not null,
        "views" int not null default 0,
        "downloads" int not null default 0,
        constraint "item_guests_link_id_email_unique" unique ("link_id", "email"),
        constraint "item_guests_link_id_foreign" foreign key ("link_id") references "item_links" ("id") on delete cascade
      );
      create index "item_guests_email_id_index" on "item_guests" ("email", "id");
      create index "item_guests_last_at_index" on "item_guests" ("last_at") where email is not null;
    `);
  }
}

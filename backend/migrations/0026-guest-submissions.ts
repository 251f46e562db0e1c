import { Migration } from '@mikro-orm/migrations';

/** Guests of links send files for file requests, and private files stay private when they are restored to the root. */
export class Migration0026GuestSubmissions extends Migration {
  override up(): void {
    this.addSql(`
      alter table "file_submissions"
        alter column "folder_id" drop not null,
        add column "guest_key" uuid null,
        add column "guest_email" varchar(255) null,
        add column "root_zone_id" bigint null,
        add constraint "file_submissions_sender_check" check ((user_id is null or guest_key is null) and (guest_email is null or guest_key is not null)),
        drop constraint "file_submissions_folder_id_foreign",
        add constraint "file_submissions_folder_id_foreign" foreign key ("folder_id") references "folders" ("id") on delete set null,
        add constraint "file_submissions_root_zone_id_foreign" foreign key ("root_zone_id") references "zones" ("id") on delete set null;
      create index "file_submissions_folder_id_guest_key_index" on "file_submissions" ("folder_id", "guest_key");
      create index "file_submissions_guest_email_index" on "file_submissions" ("guest_email");
      create index "file_submissions_root_zone_id_index" on "file_submissions" ("root_zone_id");
      alter table "item_links"
        add column "request_folder_id" bigint null,
        add constraint "item_links_request_check" check (request_folder_id is null or (request_folder_id = folder_id and needs_email)),
        add constraint "item_links_request_folder_id_foreign" foreign key ("request_folder_id") references "file_requests" ("folder_id") on delete set null;
      create index "item_links_request_folder_id_index" on "item_links" ("request_folder_id");
      alter table "item_guests"
        add column "can_send" boolean not null default false,
        drop constraint "item_guests_link_id_email_unique";
      create unique index "item_guests_link_id_email_unique" on "item_guests" ("link_id", "email") where not can_send;
      create index "item_guests_link_id_index" on "item_guests" ("link_id");
    `);
  }
}

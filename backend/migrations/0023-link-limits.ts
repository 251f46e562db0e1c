import { Migration } from '@mikro-orm/migrations';

/** Links record that their password was guessed too often, and keep the figures of guests who are removed. */
export class Migration0023LinkLimits extends Migration {
  override up(): void {
    this.addSql(`
      alter table "temporary_links" add column "password_attacked_at" timestamptz null;
      alter table "item_links"
        add column "password_attacked_at" timestamptz null,
        add column "removed_guest_views" int not null default 0,
        add column "removed_guest_downloads" int not null default 0,
        add column "removed_guest_visit_at" timestamptz null;
      drop index "item_guests_last_at_index";
      create index "item_guests_last_at_index" on "item_guests" ("last_at");
    `);
  }
}

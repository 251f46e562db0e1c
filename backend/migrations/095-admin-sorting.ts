import { Migration } from '@mikro-orm/migrations';

/** What the lists of administrators are sorted, counted and paged by. */
export class Migration095AdminSorting extends Migration {
  override up(): void {
    this.addSql(`
      create index "users_name_index" on "users" ((coalesce("first_name" || coalesce(' ' || nullif("last_name", '.'), ''), "email") collate "tr_numeric"), "id") where erased_at is null;
      create index "users_present_index" on "users" ("id") where erased_at is null;
      create index "zones_name_index" on "zones" (("name" collate "tr_numeric"), "id") where deleted_at is null;
      create index "zones_present_index" on "zones" ("id") where deleted_at is null;
      create index "zones_deleted_index" on "zones" ("id") where deleted_at is not null;
    `);
  }
}

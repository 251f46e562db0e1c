import { Migration } from '@mikro-orm/migrations';

/** What stays of a deleted zone: consents, records of leaving and reports of campaigns keep its id, and here is its name. */
export class Migration212DeletedZones extends Migration {
  override up(): void {
    this.addSql(`
      create table "deleted_zones" (
        "id" bigint not null, "name" varchar(255) not null, "owner_id" bigint null, "deleted_at" timestamptz not null,
        primary key ("id")
      );
      create index "deleted_zones_owner_id_index" on "deleted_zones" ("owner_id");
      create index "deleted_zones_deleted_at_index" on "deleted_zones" ("deleted_at");
      alter table "deleted_zones" add constraint "deleted_zones_owner_id_foreign" foreign key ("owner_id")
        references "users" ("id") on delete set null;
      alter table "email_consents" drop constraint "email_consents_zone_id_foreign";
      alter table "zone_leaves" drop constraint "zone_leaves_zone_id_foreign";
      alter table "campaigns" drop constraint "campaigns_zone_id_foreign";
    `);
  }
}

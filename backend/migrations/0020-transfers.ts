import { Migration } from '@mikro-orm/migrations';

/** Copies and moves between zones, while they can be undone. */
export class Migration0020Transfers extends Migration {
  override up(): void {
    this.addSql(`
      create table "transfers" (
        "id" uuid primary key,
        "kind" varchar(10) not null,
        "user_id" bigint not null,
        "source_zone_id" bigint not null,
        "target_zone_id" bigint not null,
        "items" jsonb not null,
        "trash_id" uuid null,
        "expires_at" timestamptz not null,
        constraint "transfers_kind_check" check (kind in ('copy', 'move')),
        constraint "transfers_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade,
        constraint "transfers_source_zone_id_foreign" foreign key ("source_zone_id") references "zones" ("id") on delete cascade,
        constraint "transfers_target_zone_id_foreign" foreign key ("target_zone_id") references "zones" ("id") on delete cascade
      );
      create index "transfers_user_id_index" on "transfers" ("user_id");
      create index "transfers_source_zone_id_index" on "transfers" ("source_zone_id");
      create index "transfers_target_zone_id_index" on "transfers" ("target_zone_id");
      create index "transfers_expires_at_index" on "transfers" ("expires_at");
    `);
  }
}

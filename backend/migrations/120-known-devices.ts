import { Migration } from '@mikro-orm/migrations';

/** Browsers in which people have signed in. */
export class Migration120KnownDevices extends Migration {
  override up(): void {
    this.addSql(`
      create table "known_devices" (
        "id" bigserial primary key,
        "user_id" bigint not null,
        "digest" varchar(64) not null,
        "network" varchar(64) null,
        "user_agent" varchar(500) null,
        "first_seen_at" timestamptz not null,
        "last_seen_at" timestamptz not null,
        constraint "known_devices_user_id_digest_unique" unique ("user_id", "digest"),
        constraint "known_devices_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "known_devices_last_seen_at_index" on "known_devices" ("last_seen_at");
    `);
  }
}

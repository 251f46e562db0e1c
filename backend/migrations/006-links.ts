import { Migration } from '@mikro-orm/migrations';

export class Migration006Links extends Migration {
  override up(): void {
    this.addSql(`
      create table "pending_joins" (
        "id" bigserial primary key,
        "digest" varchar(64) null,
        "email" varchar(255) not null,
        "zone_id" bigint not null,
        "consent_text" text null,
        "ip_address" varchar(64) null,
        "language" varchar(5) not null,
        "created_at" timestamptz not null,
        "expires_at" timestamptz not null,
        "completed_at" timestamptz null
      );
      alter table "pending_joins" add constraint "pending_joins_digest_unique" unique ("digest");
      create index "pending_joins_zone_id_index" on "pending_joins" ("zone_id");
      create index "pending_joins_expires_at_index" on "pending_joins" ("expires_at");
      alter table "pending_joins" add constraint "pending_joins_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade;
    `);
  }
}

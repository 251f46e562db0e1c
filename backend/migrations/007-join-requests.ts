import { Migration } from '@mikro-orm/migrations';

export class Migration007JoinRequests extends Migration {
  override up(): void {
    this.addSql(`
      create table "join_requests" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "user_id" bigint not null,
        "method" varchar(20) not null,
        "consent_text" text null,
        "ip_address" varchar(64) null,
        "created_at" timestamptz not null
      );
      create index "join_requests_user_id_index" on "join_requests" ("user_id");
      alter table "join_requests" add constraint "join_requests_zone_id_user_id_unique" unique ("zone_id", "user_id");
      alter table "join_requests" add constraint "join_requests_zone_id_foreign" foreign key ("zone_id")
        references "zones" ("id") on delete cascade;
      alter table "join_requests" add constraint "join_requests_user_id_foreign" foreign key ("user_id")
        references "users" ("id") on delete cascade;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

export class Migration155SecurityEvents extends Migration {
  override up(): void {
    this.addSql(`
      create table "security_events" (
        "id" bigserial primary key,
        "kind" varchar(20) not null,
        "day" date not null,
        "user_id" bigint not null,
        "network" varchar(64) not null,
        "detail" varchar(40) not null,
        "count" int not null default 1,
        "first_at" timestamptz not null,
        "last_at" timestamptz not null
      );
      alter table "security_events" add constraint "security_events_series_unique"
        unique ("kind", "day", "user_id", "network", "detail");
      create index "security_events_last_at_index" on "security_events" ("last_at", "id");
      create index "security_events_user_id_index" on "security_events" ("user_id", "last_at");
      create index "security_events_network_index" on "security_events" ("network", "last_at");
      create index "security_events_day_index" on "security_events" ("day");

      create table "api_token_networks" (
        "token_id" bigint not null,
        "network" varchar(64) not null,
        "first_at" timestamptz not null,
        "last_at" timestamptz not null,
        primary key ("token_id", "network")
      );
      alter table "api_token_networks" add constraint "api_token_networks_token_id_foreign"
        foreign key ("token_id") references "api_tokens" ("id") on delete cascade;
    `);
  }
}

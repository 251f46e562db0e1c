import { Migration } from '@mikro-orm/migrations';

export class Migration030TemporaryLinks extends Migration {
  override up(): void {
    this.addSql(`
      create table "temporary_links" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "name" varchar(255) not null,
        "token" varchar(64) not null,
        "expires_at" timestamptz not null,
        "max_uses" int null,
        "current_uses" int not null default 0,
        "is_active" boolean not null default true,
        "password" varchar(255) null,
        "membership_days" int null,
        "expired_at" timestamptz null,
        "created_by_id" bigint null,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null
      );
      alter table "temporary_links" add constraint "temporary_links_token_unique" unique ("token");
      alter table "temporary_links" add constraint "temporary_links_uses_check"
        check (current_uses >= 0 and (max_uses is null or (max_uses >= 1 and current_uses <= max_uses)));
      create index "temporary_links_zone_id_id_index" on "temporary_links" ("zone_id", "id");
      create index "temporary_links_created_by_id_index" on "temporary_links" ("created_by_id");
      create index "temporary_links_unmarked_index" on "temporary_links" ("expires_at") where expired_at is null;
      create table "link_usages" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "link_id" bigint null,
        "user_id" bigint null,
        "outcome" varchar(30) not null,
        "ip_address" varchar(64) null,
        "user_agent" varchar(300) null,
        "country" varchar(2) null,
        "city" varchar(100) null,
        "was_new_user" boolean not null default false,
        "attempted_at" timestamptz not null,
        "joined_at" timestamptz null
      );
      create index "link_usages_zone_id_attempted_at_index" on "link_usages" ("zone_id", "attempted_at");
      create index "link_usages_link_id_attempted_at_index" on "link_usages" ("link_id", "attempted_at");
      create index "link_usages_figures_index" on "link_usages" ("zone_id", "link_id", "country", "joined_at", "was_new_user");
      create index "link_usages_joined_at_index" on "link_usages" ("zone_id", "link_id", "joined_at") where joined_at is not null;
      create index "link_usages_user_id_index" on "link_usages" ("user_id");
      create index "link_usages_traced_index" on "link_usages" ("attempted_at") where ip_address is not null;
      alter table "pending_joins" add column "link_id" bigint null, add column "public_link" varchar(64) null,
        add column "usage_id" bigint null;
      update "pending_joins" set "public_link" = "zones"."public_link" from "zones" where "zones"."id" = "pending_joins"."zone_id";
      create index "pending_joins_link_id_index" on "pending_joins" ("link_id");
      create index "pending_joins_usage_id_index" on "pending_joins" ("usage_id");
      alter table "temporary_links" add constraint "temporary_links_zone_id_foreign" foreign key ("zone_id")
        references "zones" ("id") on delete cascade;
      alter table "temporary_links" add constraint "temporary_links_created_by_id_foreign" foreign key ("created_by_id")
        references "users" ("id") on delete set null;
      alter table "link_usages" add constraint "link_usages_zone_id_foreign" foreign key ("zone_id")
        references "zones" ("id") on delete cascade;
      alter table "link_usages" add constraint "link_usages_link_id_foreign" foreign key ("link_id")
        references "temporary_links" ("id") on delete cascade;
      alter table "link_usages" add constraint "link_usages_user_id_foreign" foreign key ("user_id")
        references "users" ("id") on delete set null;
      alter table "pending_joins" add constraint "pending_joins_link_id_foreign" foreign key ("link_id")
        references "temporary_links" ("id") on delete set null;
      alter table "pending_joins" add constraint "pending_joins_usage_id_foreign" foreign key ("usage_id")
        references "link_usages" ("id") on delete set null;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Temporary links, their uses, and joins that wait for a verified email address. */
export class Migration0008Links extends Migration {
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
        "updated_at" timestamptz not null,
        constraint "temporary_links_token_unique" unique ("token"),
        constraint "temporary_links_uses_check" check (current_uses >= 0 and (max_uses is null or (max_uses >= 1 and current_uses <= max_uses))),
        constraint "temporary_links_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade,
        constraint "temporary_links_created_by_id_foreign" foreign key ("created_by_id") references "users" ("id") on delete set null
      );
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
        "joined_at" timestamptz null,
        constraint "link_usages_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null,
        constraint "link_usages_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade,
        constraint "link_usages_link_id_foreign" foreign key ("link_id") references "temporary_links" ("id") on delete cascade
      );
      create index "link_usages_zone_id_attempted_at_index" on "link_usages" ("zone_id", "attempted_at");
      create index "link_usages_link_id_attempted_at_index" on "link_usages" ("link_id", "attempted_at");
      create index "link_usages_figures_index" on "link_usages" ("zone_id", "link_id", "country", "joined_at", "was_new_user");
      create index "link_usages_joined_at_index" on "link_usages" ("zone_id", "link_id", "joined_at") where joined_at is not null;
      create index "link_usages_user_id_index" on "link_usages" ("user_id");
      create index "link_usages_traced_index" on "link_usages" ("attempted_at") where ip_address is not null;
      create index "link_usages_attempted_at_index" on "link_usages" ("attempted_at", "id");
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
        "completed_at" timestamptz null,
        "link_id" bigint null,
        "public_link" varchar(64) null,
        "usage_id" bigint null,
        "is_mail_held" boolean not null default false,
        "handle_digest" character(64) null,
        constraint "pending_joins_handle_digest_unique" unique ("handle_digest"),
        constraint "pending_joins_digest_unique" unique ("digest"),
        constraint "pending_joins_link_id_foreign" foreign key ("link_id") references "temporary_links" ("id") on delete set null,
        constraint "pending_joins_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade,
        constraint "pending_joins_usage_id_foreign" foreign key ("usage_id") references "link_usages" ("id") on delete set null
      );
      create index "pending_joins_zone_id_index" on "pending_joins" ("zone_id");
      create index "pending_joins_expires_at_index" on "pending_joins" ("expires_at");
      create index "pending_joins_link_id_index" on "pending_joins" ("link_id");
      create index "pending_joins_usage_id_index" on "pending_joins" ("usage_id");
      create index "pending_joins_email_id_index" on "pending_joins" ("email", "id");
      create index "pending_joins_held_index" on "pending_joins" ("id") where is_mail_held;
      create table "link_usage_totals" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "link_id" bigint null,
        "country" varchar(2) null,
        "outcome" varchar(30) not null,
        "attempts" bigint not null default '0',
        "joins" bigint not null default '0',
        "new_users" bigint not null default '0',
        constraint "link_usage_totals_link_id_foreign" foreign key ("link_id") references "temporary_links" ("id") on delete cascade,
        constraint "link_usage_totals_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade
      );
      create unique index "link_usage_totals_unique" on "link_usage_totals" ("zone_id", "link_id", "country", "outcome") nulls not distinct;
      create index "link_usage_totals_link_id_index" on "link_usage_totals" ("link_id");
      create table "link_grants" (
        "link_id" bigint not null,
        "user_id" bigint not null,
        "granted_at" timestamptz not null,
        primary key ("link_id", "user_id"),
        constraint "link_grants_link_id_foreign" foreign key ("link_id") references "temporary_links" ("id") on update cascade on delete cascade,
        constraint "link_grants_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade
      );
      create index "link_grants_user_id_index" on "link_grants" ("user_id");
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Plans of owners and what they use of them. */
export class Migration0003Plans extends Migration {
  override up(): void {
    this.addSql(`
      create table "usage" (
        "owner_id" bigint not null,
        "metric" varchar(20) not null,
        "period" varchar(7) not null,
        "used" bigint not null default '0',
        "reserved" bigint not null default '0',
        "allowed" bigint null,
        "told_at" timestamptz null,
        primary key ("owner_id", "metric", "period"),
        constraint "usage_amounts_check" check (used >= 0 and reserved >= 0),
        constraint "usage_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade
      );
      create table "owner_plans" (
        "owner_id" bigint primary key,
        "subscribed_plan" varchar(50) not null default 'free',
        "granted_plan" varchar(50) null,
        "zones" bigint null,
        "people" bigint null,
        "bytes" bigint null,
        "mails" bigint null,
        "updated_at" timestamptz not null,
        "invites" bigint null,
        constraint "owner_plans_limits_check" check (zones >= 0 and people >= 0 and bytes >= 0 and mails >= 0 and invites >= 0),
        constraint "owner_plans_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on update cascade on delete cascade
      );
      create table "usage_warnings" (
        "owner_id" bigint not null,
        "metric" varchar(20) not null,
        "month" varchar(7) not null,
        "level" int not null,
        "warned_at" timestamptz not null,
        primary key ("owner_id", "metric", "month", "level"),
        constraint "usage_warnings_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade
      );
      create table "default_plan" (
        "only" boolean primary key default true,
        "plan" varchar(50) not null,
        "changed_at" timestamptz not null,
        constraint "default_plan_only_check" check ("only")
      );
    `);
  }
}

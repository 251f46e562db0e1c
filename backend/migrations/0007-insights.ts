import { Migration } from '@mikro-orm/migrations';

/** Figures by day and by quarter of an hour that charts are drawn from. */
export class Migration0007Insights extends Migration {
  override up(): void {
    this.addSql(`
      create table "zone_day" (
        "zone_id" bigint not null,
        "day" date not null,
        "views" int not null default 0,
        "downloads" int not null default 0,
        "joins" int not null default 0,
        "leaves" int not null default 0,
        primary key ("zone_id", "day"),
        constraint "zone_day_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade
      );
      create index "zone_day_day_index" on "zone_day" ("day");
      create index "zone_day_figures_index" on "zone_day" ("zone_id", "day") include ("views", "downloads", "joins", "leaves");
      create table "owner_day" (
        "owner_id" bigint not null,
        "day" date not null,
        "views" int not null default 0,
        "downloads" int not null default 0,
        "joins" int not null default 0,
        "leaves" int not null default 0,
        primary key ("owner_id", "day"),
        constraint "owner_day_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade
      );
      create index "owner_day_day_index" on "owner_day" ("day");
      create table "platform_day" (
        "day" date primary key,
        "new_users" int not null default 0,
        "mails" int not null default 0,
        "views" int not null default 0,
        "downloads" int not null default 0,
        "joins" int not null default 0,
        "leaves" int not null default 0
      );
      create table "dirty_days" (
        "day" date primary key
      );
      create table "roll_ups" (
        "name" varchar(20) primary key,
        "through" timestamptz not null
      );
      create table "zone_quarter" (
        "zone_id" bigint not null,
        "at" timestamptz not null,
        "views" int not null default 0,
        "downloads" int not null default 0,
        "joins" int not null default 0,
        "leaves" int not null default 0,
        "bytes" bigint null,
        primary key ("zone_id", "at"),
        constraint "zone_quarter_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade
      );
      create index "zone_quarter_at_index" on "zone_quarter" ("at");
      create index "zone_quarter_stocks_index" on "zone_quarter" ("zone_id", "at") where bytes is not null;
      create table "owner_quarter" (
        "owner_id" bigint not null,
        "at" timestamptz not null,
        "views" int not null default 0,
        "downloads" int not null default 0,
        "joins" int not null default 0,
        "leaves" int not null default 0,
        "zones" int null,
        "files" int null,
        "members" int null,
        "bytes" bigint null,
        primary key ("owner_id", "at"),
        constraint "owner_quarter_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade
      );
      create index "owner_quarter_at_index" on "owner_quarter" ("at");
      create index "owner_quarter_stocks_index" on "owner_quarter" ("owner_id", "at") where zones is not null;
      create table "platform_quarter" (
        "at" timestamptz primary key,
        "new_users" int not null default 0,
        "mails" int not null default 0,
        "views" int not null default 0,
        "downloads" int not null default 0,
        "joins" int not null default 0,
        "leaves" int not null default 0,
        "users" int null,
        "zones" int null,
        "files" int null,
        "bytes" bigint null
      );
      create function "mark_late_activity"() returns trigger language plpgsql as $$
      begin
        insert into dirty_days (day)
          select distinct (added.created_at at time zone 'UTC')::date from added, roll_ups
          where roll_ups.name = 'activity' and added.created_at < roll_ups.through
          order by 1
          on conflict (day) do update set day = excluded.day;
        return null;
      end $$;
      create trigger "activity_late" after insert on "activity" referencing new table as added
        for each statement execute function "mark_late_activity"();
    `);
  }
}

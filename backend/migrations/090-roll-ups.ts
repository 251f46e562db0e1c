import { Migration } from '@mikro-orm/migrations';

export class Migration090RollUps extends Migration {
  override up(): void {
    this.addSql(`
      create table "zone_day" (
        "zone_id" bigint not null,
        "day" date not null,
        "views" int not null default 0,
        "downloads" int not null default 0,
        "joins" int not null default 0,
        "leaves" int not null default 0,
        "bytes" bigint null,
        primary key ("zone_id", "day")
      );
      create index "zone_day_day_index" on "zone_day" ("day");
      create table "owner_day" (
        "owner_id" bigint not null,
        "day" date not null,
        "views" int not null default 0,
        "downloads" int not null default 0,
        "joins" int not null default 0,
        "leaves" int not null default 0,
        "zones" int null,
        "files" int null,
        "members" int null,
        "bytes" bigint null,
        primary key ("owner_id", "day")
      );
      create index "owner_day_day_index" on "owner_day" ("day");
      create table "platform_day" (
        "day" date not null,
        "new_users" int not null default 0,
        "mails" int not null default 0,
        "views" int not null default 0,
        "downloads" int not null default 0,
        "joins" int not null default 0,
        "leaves" int not null default 0,
        "users" int null,
        "zones" int null,
        "public_zones" int null,
        "files" int null,
        "bytes" bigint null,
        "campaigns" int null,
        "updated_at" timestamptz not null,
        primary key ("day")
      );
      create table "dirty_days" (
        "day" date not null,
        primary key ("day")
      );
      create table "roll_ups" (
        "name" varchar(20) not null,
        "through" timestamptz not null,
        primary key ("name")
      );
      create index "deliveries_sent_at_index" on "deliveries" using brin ("sent_at");
      alter table "zone_day" add constraint "zone_day_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade;
      alter table "owner_day" add constraint "owner_day_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;
      create function "mark_late_activity"() returns trigger language plpgsql as $$
      begin
        insert into dirty_days (day)
          select distinct (added.created_at at time zone 'UTC')::date from added, roll_ups
          where roll_ups.name = 'activity' and added.created_at < roll_ups.through - interval '23 hours'
          order by 1
          on conflict (day) do update set day = excluded.day;
        return null;
      end $$;
      create trigger "activity_late" after insert on "activity" referencing new table as added
        for each statement execute function "mark_late_activity"();
    `);
  }
}

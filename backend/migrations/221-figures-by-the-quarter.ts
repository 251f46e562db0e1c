import { Migration } from '@mikro-orm/migrations';

const flows = `"views" int not null default 0, "downloads" int not null default 0, "joins" int not null default 0,
        "leaves" int not null default 0`;
const counts = `count(*) filter (where type = 'file.viewed'), count(*) filter (where type = 'file.downloaded'),
        count(*) filter (where type = 'member.joined'),
        count(*) filter (where type in ('member.left', 'member.removed', 'member.expired'))`;
const counted = `type in ('file.viewed', 'file.downloaded', 'member.joined', 'member.left', 'member.removed', 'member.expired')
        and created_at < (select coalesce(max(through), 'epoch') from roll_ups where name = 'activity')`;
const quarter = (column: string) => `date_bin('15 minutes', ${column}, 'epoch'::timestamptz)`;
/** What there was at the end of a day belongs to its last quarter; that of the present day to the present one. */
const lastOf = `least((day::timestamp at time zone 'UTC') + interval '23 hours 45 minutes', ${quarter('now()')})`;

/**
 * Figures by the quarter of an hour, so that days can be those of whoever looks: filled from the record, as far as it
 * reaches back. Members become people, so what was counted as memberships is no longer known where the two differ.
 */
export class Migration221FiguresByTheQuarter extends Migration {
  override up(): void {
    this.addSql(`
      create table "zone_quarter" ("zone_id" bigint not null, "at" timestamptz not null, ${flows}, "bytes" bigint null,
        primary key ("zone_id", "at"));
      create table "owner_quarter" ("owner_id" bigint not null, "at" timestamptz not null, ${flows},
        "zones" int null, "files" int null, "members" int null, "bytes" bigint null, primary key ("owner_id", "at"));
      create table "platform_quarter" ("at" timestamptz not null, "new_users" int not null default 0,
        "mails" int not null default 0, ${flows},
        "users" int null, "zones" int null, "files" int null, "bytes" bigint null, primary key ("at"));

      insert into "zone_quarter" (zone_id, at, views, downloads, joins, leaves)
        select zone_id, ${quarter('created_at')}, ${counts} from activity
        where ${counted} and zone_id in (select id from zones) group by 1, 2;
      insert into "owner_quarter" (owner_id, at, views, downloads, joins, leaves)
        select owner_id, ${quarter('created_at')}, ${counts} from activity
        where ${counted} and owner_id in (select id from users) group by 1, 2;
      insert into "platform_quarter" (at, views, downloads, joins, leaves)
        select ${quarter('created_at')}, ${counts} from activity where ${counted} group by 1;
      insert into "platform_quarter" (at, new_users)
        select ${quarter('created_at')}, count(*) from users where erased_at is null group by 1
        on conflict (at) do update set new_users = excluded.new_users;
      insert into "platform_quarter" (at, mails)
        select ${quarter('sent_at')}, count(*) from deliveries where sent_at is not null and state = 'delivered' group by 1
        on conflict (at) do update set mails = excluded.mails;

      insert into "zone_quarter" (zone_id, at, bytes) select zone_id, ${lastOf}, bytes from zone_day where bytes is not null
        on conflict (zone_id, at) do update set bytes = excluded.bytes;
      insert into "owner_quarter" (owner_id, at, zones, files, members, bytes)
        select owner_id, ${lastOf}, zones, files, members, bytes from owner_day where zones is not null
        on conflict (owner_id, at) do update set zones = excluded.zones, files = excluded.files,
          members = excluded.members, bytes = excluded.bytes;
      update "owner_quarter" set members = null where owner_id in (
        select z.owner_id from zones z join zone_stats s on s.zone_id = z.id where z.deleted_at is null group by z.owner_id
        having sum(s.members) <> (select count(*) from audience a where a.owner_id = z.owner_id and a.zones > 0));
      insert into "platform_quarter" (at, users, zones, files, bytes)
        select ${lastOf}, users, zones, files, bytes from platform_day where users is not null
        on conflict (at) do update set users = excluded.users, zones = excluded.zones, files = excluded.files,
          bytes = excluded.bytes;

      create index "zone_quarter_at_index" on "zone_quarter" ("at");
      create index "zone_quarter_stocks_index" on "zone_quarter" ("zone_id", "at") where bytes is not null;
      create index "owner_quarter_at_index" on "owner_quarter" ("at");
      create index "owner_quarter_stocks_index" on "owner_quarter" ("owner_id", "at") where zones is not null;
      alter table "zone_quarter" add constraint "zone_quarter_zone_id_foreign" foreign key ("zone_id")
        references "zones" ("id") on delete cascade;
      alter table "owner_quarter" add constraint "owner_quarter_owner_id_foreign" foreign key ("owner_id")
        references "users" ("id") on delete cascade;

      drop index "zone_day_bytes_index";
      drop index "owner_day_stocks_index";
      alter table "zone_day" drop column "bytes";
      alter table "owner_day" drop column "zones", drop column "files", drop column "members", drop column "bytes";
      alter table "platform_day" drop column "users", drop column "zones", drop column "public_zones",
        drop column "files", drop column "bytes", drop column "campaigns", drop column "updated_at";
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

export class Migration097RollUpsByTheMinute extends Migration {
  override up(): void {
    this.addSql(`
      create index "zone_day_bytes_index" on "zone_day" ("zone_id", "day") include ("bytes") where bytes is not null;
      create index "owner_day_stocks_index" on "owner_day" ("owner_id", "day") include ("zones", "files", "members", "bytes") where zones is not null;
      create or replace function "mark_late_activity"() returns trigger language plpgsql as $$
      begin
        insert into dirty_days (day)
          select distinct (added.created_at at time zone 'UTC')::date from added, roll_ups
          where roll_ups.name = 'activity' and added.created_at < roll_ups.through
          order by 1
          on conflict (day) do update set day = excluded.day;
        return null;
      end $$;
      do $$
      declare leaf text;
      begin
        for leaf in
          select format('%I.%I', n.nspname, c.relname) from pg_inherits i join pg_class c on c.oid = i.inhrelid
          join pg_namespace n on n.oid = c.relnamespace where i.inhparent = 'activity_created_at_index'::regclass
        loop
          execute 'alter index ' || leaf || ' set (autosummarize = on)';
        end loop;
      end $$;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Who was taken out of a zone by its owner comes in by a link only as a request, and who was blocked not even so. A declined
 * request keeps its row, so that it cannot be repeated at once; a link with membership days gives them to a person once.
 */
export class Migration174WhoWasTakenOut extends Migration {
  override up(): void {
    this.addSql(`
      create table "member_removals" ("zone_id" bigint not null, "user_id" bigint not null, "removed_at" timestamptz not null, primary key ("zone_id", "user_id"));
      alter table "member_removals" add constraint "member_removals_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on update cascade on delete cascade;
      alter table "member_removals" add constraint "member_removals_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade;
      create index "member_removals_user_id_index" on "member_removals" ("user_id");
      create table "zone_blocks" ("zone_id" bigint not null, "user_id" bigint not null, "blocked_at" timestamptz not null, primary key ("zone_id", "user_id"));
      alter table "zone_blocks" add constraint "zone_blocks_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on update cascade on delete cascade;
      alter table "zone_blocks" add constraint "zone_blocks_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade;
      create index "zone_blocks_user_id_index" on "zone_blocks" ("user_id");
      create table "link_grants" ("link_id" bigint not null, "user_id" bigint not null, "granted_at" timestamptz not null, primary key ("link_id", "user_id"));
      alter table "link_grants" add constraint "link_grants_link_id_foreign" foreign key ("link_id") references "temporary_links" ("id") on update cascade on delete cascade;
      alter table "link_grants" add constraint "link_grants_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade;
      create index "link_grants_user_id_index" on "link_grants" ("user_id");
      alter table "join_requests" add column "declined_at" timestamptz null, add column "membership_days" int null;
      create index "join_requests_declined_at_index" on "join_requests" ("declined_at") where "declined_at" is not null;
      insert into "member_removals" ("zone_id", "user_id", "removed_at")
        select l."zone_id", l."user_id", max(l."left_at") from "zone_leaves" l
        where l."via" = 'removed' and l."undone_at" is null and l."user_id" is not null
          and not exists (select from "zone_members" m where m."zone_id" = l."zone_id" and m."user_id" = l."user_id")
          and not exists (select from "zone_leaves" o where o."zone_id" = l."zone_id" and o."user_id" = l."user_id" and o."left_at" > l."left_at")
        group by 1, 2;
      insert into "link_grants" ("link_id", "user_id", "granted_at")
        select u."link_id", u."user_id", max(u."joined_at") from "link_usages" u
        join "temporary_links" t on t."id" = u."link_id" and t."membership_days" is not null
        where u."user_id" is not null and u."joined_at" is not null group by 1, 2;
    `);
  }
}

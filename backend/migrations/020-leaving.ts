import { Migration } from '@mikro-orm/migrations';

export class Migration020Leaving extends Migration {
  override up(): void {
    this.addSql(`
      alter table "zone_members" alter column "name_key" type varchar(255) collate "tr_numeric";
      create table "email_unsubscribes" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "user_id" bigint not null,
        "unsubscribed_at" timestamptz not null,
        "reason" text null
      );
      alter table "email_unsubscribes" add constraint "email_unsubscribes_zone_id_user_id_unique" unique ("zone_id", "user_id");
      create index "email_unsubscribes_user_id_index" on "email_unsubscribes" ("user_id");
      create table "zone_leaves" (
        "id" bigserial primary key,
        "user_id" bigint null,
        "zone_id" bigint not null,
        "zone_type" varchar(10) not null,
        "via" varchar(10) not null,
        "reason" text null,
        "role" varchar(10) not null,
        "join_method" varchar(20) not null,
        "invited_by_id" bigint null,
        "expires_at" timestamptz null,
        "joined_at" timestamptz not null,
        "left_at" timestamptz not null,
        "undone_at" timestamptz null
      );
      create index "zone_leaves_zone_id_user_id_left_at_index" on "zone_leaves" ("zone_id", "user_id", "left_at");
      create index "zone_leaves_user_id_index" on "zone_leaves" ("user_id");
      create index "zone_leaves_invited_by_id_index" on "zone_leaves" ("invited_by_id");
      alter table "email_unsubscribes" add constraint "email_unsubscribes_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade;
      alter table "email_unsubscribes" add constraint "email_unsubscribes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "zone_leaves" add constraint "zone_leaves_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null;
      alter table "zone_leaves" add constraint "zone_leaves_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade;
      alter table "zone_leaves" add constraint "zone_leaves_invited_by_id_foreign" foreign key ("invited_by_id") references "users" ("id") on delete set null;
    `);
  }
}

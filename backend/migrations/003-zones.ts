import { Migration } from '@mikro-orm/migrations';

export class Migration003Zones extends Migration {
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
        primary key ("owner_id", "metric", "period")
      );
      alter table "usage" add constraint "usage_amounts_check" check (used >= 0 and reserved >= 0);
      create table "audience" (
        "owner_id" bigint not null,
        "email_key" varchar(255) not null,
        "user_id" bigint null,
        "zones" int not null default 0,
        "pending" int not null default 0,
        primary key ("owner_id", "email_key")
      );
      create index "audience_user_id_index" on "audience" ("user_id");
      alter table "audience" add constraint "audience_counts_check" check (zones >= 0 and pending >= 0);
      create table "zones" (
        "id" bigserial primary key,
        "name" varchar(255) not null,
        "description" text not null default '',
        "owner_id" bigint not null,
        "type" varchar(10) not null default 'private',
        "is_active" boolean not null default true,
        "auto_join" boolean not null default true,
        "requires_email_optin" boolean not null default true,
        "public_link" varchar(64) null,
        "deleted_at" timestamptz null,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null
      );
      alter table "zones" add constraint "zones_public_link_unique" unique ("public_link");
      create index "zones_owner_id_index" on "zones" ("owner_id");
      alter table "zones" add constraint "zones_public_link_check" check ((type = 'public') = (public_link is not null));
      create table "email_consents" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "user_id" bigint not null,
        "consented_at" timestamptz not null,
        "ip_address" varchar(64) null,
        "consent_method" varchar(20) not null,
        "consent_text" text not null
      );
      create index "email_consents_user_id_index" on "email_consents" ("user_id");
      alter table "email_consents" add constraint "email_consents_zone_id_user_id_unique" unique ("zone_id", "user_id");
      create table "zone_members" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "user_id" bigint not null,
        "role" varchar(10) not null default 'member',
        "invited_by_id" bigint null,
        "join_method" varchar(20) not null default 'invite',
        "expires_at" timestamptz null,
        "is_favorite" boolean not null default false,
        "email" varchar(255) not null,
        "name_key" varchar(255) not null default '',
        "search_key" text not null default '',
        "created_at" timestamptz not null
      );
      create index "zone_members_user_id_index" on "zone_members" ("user_id");
      create index "zone_members_invited_by_id_index" on "zone_members" ("invited_by_id");
      create index "zone_members_zone_id_email_id_index" on "zone_members" ("zone_id", "email", "id");
      create index "zone_members_zone_id_name_key_id_index" on "zone_members" ("zone_id", "name_key", "id");
      create index "zone_members_zone_id_created_at_id_index" on "zone_members" ("zone_id", "created_at", "id");
      create index "zone_members_expires_at_index" on "zone_members" ("expires_at");
      alter table "zone_members" add constraint "zone_members_zone_id_user_id_unique" unique ("zone_id", "user_id");
      create table "zone_stats" (
        "zone_id" bigint not null,
        "files" int not null default 0,
        "folders" int not null default 0,
        "members" int not null default 0,
        "bytes" bigint not null default '0',
        primary key ("zone_id")
      );
      alter table "zone_stats" add constraint "zone_stats_counts_check" check (files >= 0 and folders >= 0 and members >= 0 and bytes >= 0);
      alter table "usage" add constraint "usage_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;
      alter table "audience" add constraint "audience_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;
      alter table "audience" add constraint "audience_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null;
      alter table "zones" add constraint "zones_owner_id_foreign" foreign key ("owner_id") references "users" ("id");
      alter table "email_consents" add constraint "email_consents_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade;
      alter table "email_consents" add constraint "email_consents_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "zone_members" add constraint "zone_members_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade;
      alter table "zone_members" add constraint "zone_members_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "zone_members" add constraint "zone_members_invited_by_id_foreign" foreign key ("invited_by_id") references "users" ("id") on delete set null;
      alter table "zone_stats" add constraint "zone_stats_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on update cascade on delete cascade;
    `);
  }
}

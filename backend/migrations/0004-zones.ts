import { Migration } from '@mikro-orm/migrations';

/** Zones, members, invitations, requests to join, and who may be emailed. */
export class Migration0004Zones extends Migration {
  override up(): void {
    this.addSql(`
      create table "audience" (
        "owner_id" bigint not null,
        "email_key" varchar(255) not null,
        "user_id" bigint null,
        "zones" int not null default 0,
        "pending" int not null default 0,
        primary key ("owner_id", "email_key"),
        constraint "audience_counts_check" check (zones >= 0 and pending >= 0),
        constraint "audience_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null,
        constraint "audience_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade
      );
      create index "audience_user_id_index" on "audience" ("user_id");
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
        "updated_at" timestamptz not null,
        "version" int not null default 1,
        "show_files" boolean not null default true,
        constraint "zones_public_link_unique" unique ("public_link"),
        constraint "zones_public_link_check" check ((type = 'public') = (public_link is not null)),
        constraint "zones_owner_id_foreign" foreign key ("owner_id") references "users" ("id")
      );
      create index "zones_owner_id_index" on "zones" ("owner_id");
      create index "zones_name_index" on "zones" (("name" collate "tr_numeric"), "id") where deleted_at is null;
      create index "zones_present_index" on "zones" ("id") where deleted_at is null;
      create index "zones_deleted_index" on "zones" ("id") where deleted_at is not null;
      create index "zones_search_index" on "zones" using gin (search_fold("name") gin_trgm_ops);
      create table "email_consents" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "user_id" bigint not null,
        "consented_at" timestamptz not null,
        "ip_address" varchar(64) null,
        "consent_method" varchar(20) not null,
        "consent_text" text not null,
        constraint "email_consents_zone_id_user_id_unique" unique ("zone_id", "user_id"),
        constraint "email_consents_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "email_consents_user_id_index" on "email_consents" ("user_id");
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
        "name_key" varchar(255) collate "tr_numeric" not null default '',
        "search_key" text not null default '',
        "created_at" timestamptz not null,
        "is_counted" boolean not null default true,
        "visited_at" timestamptz null,
        "dismissed_at" timestamptz null,
        constraint "zone_members_zone_id_user_id_unique" unique ("zone_id", "user_id"),
        constraint "zone_members_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade,
        constraint "zone_members_invited_by_id_foreign" foreign key ("invited_by_id") references "users" ("id") on delete set null,
        constraint "zone_members_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade
      );
      create index "zone_members_user_id_index" on "zone_members" ("user_id");
      create index "zone_members_invited_by_id_index" on "zone_members" ("invited_by_id");
      create index "zone_members_zone_id_email_id_index" on "zone_members" ("zone_id", "email", "id");
      create index "zone_members_zone_id_created_at_id_index" on "zone_members" ("zone_id", "created_at", "id");
      create index "zone_members_expires_at_index" on "zone_members" ("expires_at");
      create index "zone_members_zone_id_name_key_id_index" on "zone_members" ("zone_id", "name_key", "id");
      create index "zone_members_search_key_trigram_index" on "zone_members" using gin ("search_key" gin_trgm_ops);
      create table "zone_stats" (
        "zone_id" bigint primary key,
        "files" int not null default 0,
        "folders" int not null default 0,
        "members" int not null default 0,
        "bytes" bigint not null default '0',
        "content_changed_at" timestamptz null,
        constraint "zone_stats_counts_check" check (files >= 0 and folders >= 0 and members >= 0 and bytes >= 0),
        constraint "zone_stats_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on update cascade on delete cascade
      );
      create table "join_requests" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "user_id" bigint not null,
        "method" varchar(20) not null,
        "consent_text" text null,
        "ip_address" varchar(64) null,
        "created_at" timestamptz not null,
        "declined_at" timestamptz null,
        "membership_days" int null,
        "is_notice_due" boolean not null default false,
        "notice_job_id" bigint null,
        "link_id" bigint null,
        constraint "join_requests_zone_id_user_id_unique" unique ("zone_id", "user_id"),
        constraint "join_requests_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade,
        constraint "join_requests_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade
      );
      create index "join_requests_user_id_index" on "join_requests" ("user_id");
      create index "join_requests_declined_at_index" on "join_requests" ("declined_at") where "declined_at" is not null;
      create index "join_requests_notice_index" on "join_requests" ("zone_id") where is_notice_due;
      create index "join_requests_notice_job_id_index" on "join_requests" ("notice_job_id");
      create table "suppressions" (
        "id" bigserial primary key,
        "owner_id" bigint null,
        "digest" varchar(64) not null,
        "reason" varchar(20) not null,
        "created_at" timestamptz not null,
        constraint "suppressions_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade
      );
      create unique index "suppressions_owner_id_digest_unique" on "suppressions" (coalesce("owner_id", 0), "digest");
      create index "suppressions_owner_id_index" on "suppressions" ("owner_id");
      create index "suppressions_digest_index" on "suppressions" ("digest");
      create table "email_unsubscribes" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "user_id" bigint not null,
        "unsubscribed_at" timestamptz not null,
        "reason" text null,
        constraint "email_unsubscribes_zone_id_user_id_unique" unique ("zone_id", "user_id"),
        constraint "email_unsubscribes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
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
        "undone_at" timestamptz null,
        constraint "zone_leaves_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null,
        constraint "zone_leaves_invited_by_id_foreign" foreign key ("invited_by_id") references "users" ("id") on delete set null
      );
      create index "zone_leaves_zone_id_user_id_left_at_index" on "zone_leaves" ("zone_id", "user_id", "left_at");
      create index "zone_leaves_user_id_index" on "zone_leaves" ("user_id");
      create index "zone_leaves_invited_by_id_index" on "zone_leaves" ("invited_by_id");
      create index "zone_leaves_zone_id_left_at_id_index" on "zone_leaves" ("zone_id", "left_at", "id");
      create table "invitations" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "email" varchar(255) not null,
        "first_name" varchar(50) null,
        "last_name" varchar(50) null,
        "invited_by_id" bigint null,
        "digest" varchar(64) null,
        "password_digest" varchar(64) null,
        "used" boolean not null default false,
        "is_counted" boolean not null default true,
        "expires_at" timestamptz not null,
        "created_at" timestamptz not null,
        "sent_at" timestamptz null,
        "used_at" timestamptz null,
        "is_notice_due" boolean not null default false,
        "notice_job_id" bigint null,
        "undeliverable_at" timestamptz null,
        "kept_at" timestamptz null,
        constraint "invitations_zone_id_email_unique" unique ("zone_id", "email"),
        constraint "invitations_digest_unique" unique ("digest"),
        constraint "invitations_undeliverable_check" check (undeliverable_at is null or not is_counted),
        constraint "invitations_used_check" check (not (used and is_counted)),
        constraint "invitations_invited_by_id_foreign" foreign key ("invited_by_id") references "users" ("id") on delete set null,
        constraint "invitations_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade
      );
      create index "invitations_zone_id_id_index" on "invitations" ("zone_id", "id");
      create index "invitations_email_index" on "invitations" ("email");
      create index "invitations_invited_by_id_index" on "invitations" ("invited_by_id");
      create index "invitations_expires_at_index" on "invitations" ("expires_at");
      create index "invitations_zone_id_notice_index" on "invitations" ("zone_id") where is_notice_due;
      create index "invitations_notice_job_id_index" on "invitations" ("notice_job_id");
      create table "stranger_mails" (
        "owner_id" bigint not null,
        "day" varchar(10) not null,
        "scope" varchar(10) not null,
        "subject" varchar(64) not null,
        "used" bigint not null default '0',
        "told_at" timestamptz null,
        primary key ("owner_id", "day", "scope", "subject"),
        constraint "stranger_mails_used_check" check (used >= 0),
        constraint "stranger_mails_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade
      );
      create index "stranger_mails_day_index" on "stranger_mails" ("day");
      create table "member_removals" (
        "zone_id" bigint not null,
        "user_id" bigint not null,
        "removed_at" timestamptz not null,
        primary key ("zone_id", "user_id"),
        constraint "member_removals_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on update cascade on delete cascade,
        constraint "member_removals_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade
      );
      create index "member_removals_user_id_index" on "member_removals" ("user_id");
      create table "zone_blocks" (
        "zone_id" bigint not null,
        "user_id" bigint not null,
        "blocked_at" timestamptz not null,
        primary key ("zone_id", "user_id"),
        constraint "zone_blocks_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on update cascade on delete cascade,
        constraint "zone_blocks_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade
      );
      create index "zone_blocks_user_id_index" on "zone_blocks" ("user_id");
      create table "suppression_lifts" (
        "owner_id" bigint not null,
        "digest" varchar(64) not null,
        "lifted_at" timestamptz not null,
        primary key ("owner_id", "digest"),
        constraint "suppression_lifts_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade
      );
      create table "deleted_zones" (
        "id" bigint primary key,
        "name" varchar(255) not null,
        "owner_id" bigint null,
        "deleted_at" timestamptz not null,
        constraint "deleted_zones_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete set null
      );
      create index "deleted_zones_owner_id_index" on "deleted_zones" ("owner_id");
      create index "deleted_zones_deleted_at_index" on "deleted_zones" ("deleted_at");
    `);
  }
}

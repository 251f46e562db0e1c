import { Migration } from '@mikro-orm/migrations';

/** Users, their sessions, tokens, second factors and identities. */
export class Migration0002Auth extends Migration {
  override up(): void {
    this.addSql(`
      create table "email_verifications" (
        "id" bigserial primary key,
        "email" varchar(255) not null,
        "code" varchar(64) not null,
        "type" varchar(20) not null,
        "tries" int not null default 0,
        "expires_at" timestamptz not null,
        "is_used" boolean not null default false,
        "created_at" timestamptz not null,
        "asked_by" varchar(64) not null default '',
        "tries_elsewhere" int not null default 0
      );
      create index "email_verifications_email_type_index" on "email_verifications" ("email", "type");
      create index "email_verifications_expires_at_index" on "email_verifications" ("expires_at");
      create table "single_use_tokens" (
        "id" bigserial primary key,
        "digest" varchar(64) not null,
        "purpose" varchar(30) not null,
        "email" varchar(255) not null,
        "subject" varchar(100) not null default '',
        "expires_at" timestamptz not null,
        "used_at" timestamptz null,
        "created_at" timestamptz not null,
        "asked_by" varchar(64) not null default '',
        constraint "single_use_tokens_digest_unique" unique ("digest")
      );
      create index "single_use_tokens_email_purpose_index" on "single_use_tokens" ("email", "purpose");
      create index "single_use_tokens_expires_at_index" on "single_use_tokens" ("expires_at");
      create table "users" (
        "id" bigserial primary key,
        "email" varchar(255) not null,
        "password" varchar(255) null,
        "first_name" varchar(100) null,
        "last_name" varchar(100) null,
        "username" varchar(50) null,
        "username_changed_at" timestamptz null,
        "username_change_count" int not null default 0,
        "profile_image_url" varchar(500) null,
        "plan" varchar(50) not null default 'free',
        "role" varchar(20) not null default 'user',
        "is_super_admin" boolean not null default false,
        "stripe_customer_id" varchar(255) null,
        "stripe_subscription_id" varchar(255) null,
        "subscription_status" varchar(50) not null default 'active',
        "email_verified" boolean not null default false,
        "language" varchar(5) not null default 'en',
        "time_zone" varchar(60) null,
        "postal_address" varchar(500) null,
        "deactivated_at" timestamptz null,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null,
        "erased_at" timestamptz null,
        "notify_accepted_invitations" boolean not null default true,
        "notify_suggestions" boolean not null default true,
        "has_external_identity" boolean not null default false,
        "notify_administration" boolean not null default false,
        "start_steps" jsonb null,
        constraint "users_stripe_subscription_id_unique" unique ("stripe_subscription_id"),
        constraint "users_email_unique" unique ("email"),
        constraint "users_username_unique" unique ("username"),
        constraint "users_stripe_customer_id_unique" unique ("stripe_customer_id")
      );
      create index "users_plan_id_index" on "users" ("plan", "id");
      create index "users_staff_index" on "users" ("id") where role <> 'user' or is_super_admin;
      create index "users_deactivated_index" on "users" ("id") where deactivated_at is not null;
      create index "users_pending_index" on "users" ("id") where not email_verified;
      create index "users_name_index" on "users" ((coalesce("first_name" || coalesce(' ' || nullif("last_name", '.'), ''), "email") collate "tr_numeric"), "id") where erased_at is null;
      create index "users_present_index" on "users" ("id") where erased_at is null;
      create index "users_search_index" on "users" using gin (search_fold("email" || ' ' || coalesce("username", '') || ' ' || coalesce("first_name", '') || ' ' || coalesce("last_name", '')) gin_trgm_ops);
      create table "sessions" (
        "id" bigserial primary key,
        "sid" varchar(64) not null,
        "user_id" bigint not null,
        "restricted" boolean not null default false,
        "ip_address" varchar(64) null,
        "user_agent" varchar(500) null,
        "created_at" timestamptz not null,
        "last_seen_at" timestamptz not null,
        "expire" timestamptz not null,
        "confirmed_at" timestamptz null,
        constraint "sessions_sid_unique" unique ("sid"),
        constraint "sessions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "sessions_user_id_index" on "sessions" ("user_id");
      create index "sessions_expire_index" on "sessions" ("expire");
      create table "api_tokens" (
        "id" bigserial primary key,
        "digest" varchar(64) not null,
        "user_id" bigint not null,
        "name" varchar(100) not null,
        "scope" varchar(10) not null,
        "expires_at" timestamptz not null,
        "last_used_at" timestamptz null,
        "created_at" timestamptz not null,
        constraint "api_tokens_digest_unique" unique ("digest"),
        constraint "api_tokens_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "api_tokens_user_id_index" on "api_tokens" ("user_id");
      create index "api_tokens_expires_at_index" on "api_tokens" ("expires_at");
      create table "username_changes" (
        "id" bigserial primary key,
        "user_id" bigint not null,
        "changed_at" timestamptz not null,
        constraint "username_changes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "username_changes_user_id_index" on "username_changes" ("user_id", "changed_at");
      create index "username_changes_changed_at_index" on "username_changes" ("changed_at");
      create table "known_devices" (
        "id" bigserial primary key,
        "user_id" bigint not null,
        "digest" varchar(64) not null,
        "network" varchar(64) null,
        "user_agent" varchar(500) null,
        "first_seen_at" timestamptz not null,
        "last_seen_at" timestamptz not null,
        constraint "known_devices_user_id_digest_unique" unique ("user_id", "digest"),
        constraint "known_devices_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "known_devices_last_seen_at_index" on "known_devices" ("last_seen_at");
      create table "authenticators" (
        "user_id" bigint primary key,
        "secret" varchar(255) not null,
        "last_step" bigint null,
        "confirmed_at" timestamptz null,
        "created_at" timestamptz not null,
        constraint "authenticators_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create table "recovery_codes" (
        "id" bigserial primary key,
        "user_id" bigint not null,
        "digest" varchar(64) not null,
        "used_at" timestamptz null,
        "created_at" timestamptz not null,
        constraint "recovery_codes_user_id_digest_unique" unique ("user_id", "digest"),
        constraint "recovery_codes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create table "pending_sign_ins" (
        "id" bigserial primary key,
        "digest" varchar(64) not null,
        "user_id" bigint not null,
        "restricted" boolean not null,
        "expires_at" timestamptz not null,
        "created_at" timestamptz not null,
        "issuer" varchar(500) null,
        "subject" varchar(255) null,
        "identity_email" varchar(255) null,
        constraint "pending_sign_ins_digest_unique" unique ("digest"),
        constraint "pending_sign_ins_identity_check" check (num_nulls("issuer", "subject", "identity_email") in (0, 3)),
        constraint "pending_sign_ins_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "pending_sign_ins_user_id_index" on "pending_sign_ins" ("user_id");
      create index "pending_sign_ins_expires_at_index" on "pending_sign_ins" ("expires_at");
      create table "passkeys" (
        "id" bigserial primary key,
        "user_id" bigint not null,
        "credential_id" varchar(1400) not null,
        "public_key" varchar(2000) not null,
        "counter" bigint not null,
        "transports" varchar(255) not null,
        "verifies_user" boolean not null,
        "name" varchar(60) not null,
        "created_at" timestamptz not null,
        "last_used_at" timestamptz null,
        constraint "passkeys_credential_id_unique" unique ("credential_id"),
        constraint "passkeys_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "passkeys_user_id_index" on "passkeys" ("user_id");
      create table "passkey_challenges" (
        "digest" varchar(64) primary key,
        "expires_at" timestamptz not null
      );
      create index "passkey_challenges_expires_at_index" on "passkey_challenges" ("expires_at");
      create table "external_identities" (
        "id" bigserial primary key,
        "user_id" bigint not null,
        "issuer" varchar(500) not null,
        "subject" varchar(255) not null,
        "email" varchar(255) not null,
        "created_at" timestamptz not null,
        "last_used_at" timestamptz not null,
        constraint "external_identities_issuer_subject_unique" unique ("issuer", "subject"),
        constraint "external_identities_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "external_identities_user_id_index" on "external_identities" ("user_id");
      create table "begun_sign_ins" (
        "id" bigserial primary key,
        "digest" varchar(64) not null,
        "next" varchar(500) null,
        "created_at" timestamptz not null,
        "expires_at" timestamptz not null,
        constraint "begun_sign_ins_digest_unique" unique ("digest")
      );
      create index "begun_sign_ins_expires_at_index" on "begun_sign_ins" ("expires_at");
      create table "pending_identity_links" (
        "id" bigserial primary key,
        "digest" varchar(64) not null,
        "user_id" bigint not null,
        "issuer" varchar(500) not null,
        "subject" varchar(255) not null,
        "email" varchar(255) not null,
        "tries" int not null default 0,
        "created_at" timestamptz not null,
        "expires_at" timestamptz not null,
        constraint "pending_identity_links_digest_unique" unique ("digest"),
        constraint "pending_identity_links_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "pending_identity_links_user_id_index" on "pending_identity_links" ("user_id");
      create index "pending_identity_links_expires_at_index" on "pending_identity_links" ("expires_at");
      create table "email_changes" (
        "id" bigserial primary key,
        "user_id" bigint not null,
        "old_email" varchar(255) not null,
        "new_email" varchar(255) not null,
        "by_admin" boolean not null default false,
        "changed_at" timestamptz not null,
        "undone_at" timestamptz null,
        constraint "email_changes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "email_changes_user_id_id_index" on "email_changes" ("user_id", "id");
      create index "email_changes_changed_at_index" on "email_changes" ("changed_at");
      create table "api_token_networks" (
        "token_id" bigint not null,
        "network" varchar(64) not null,
        "first_at" timestamptz not null,
        "last_at" timestamptz not null,
        primary key ("token_id", "network"),
        constraint "api_token_networks_token_id_foreign" foreign key ("token_id") references "api_tokens" ("id") on delete cascade
      );
    `);
  }
}

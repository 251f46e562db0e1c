import { Migration } from '@mikro-orm/migrations';

export class Migration002Accounts extends Migration {
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
        "created_at" timestamptz not null
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
        "created_at" timestamptz not null
      );
      alter table "single_use_tokens" add constraint "single_use_tokens_digest_unique" unique ("digest");
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
        "updated_at" timestamptz not null
      );
      alter table "users" add constraint "users_email_unique" unique ("email");
      alter table "users" add constraint "users_username_unique" unique ("username");
      create table "sessions" (
        "id" bigserial primary key,
        "sid" varchar(64) not null,
        "user_id" bigint not null,
        "restricted" boolean not null default false,
        "ip_address" varchar(64) null,
        "user_agent" varchar(500) null,
        "created_at" timestamptz not null,
        "last_seen_at" timestamptz not null,
        "expire" timestamptz not null
      );
      alter table "sessions" add constraint "sessions_sid_unique" unique ("sid");
      create index "sessions_user_id_index" on "sessions" ("user_id");
      create index "sessions_expire_index" on "sessions" ("expire");
      alter table "sessions" add constraint "sessions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
    `);
  }
}

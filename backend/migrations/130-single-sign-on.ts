import { Migration } from '@mikro-orm/migrations';

/** Signing in by a provider of identities. */
export class Migration130SingleSignOn extends Migration {
  override up(): void {
    this.addSql(`
      alter table "users" add column "has_external_identity" boolean not null default false;
      create table "external_identities" (
        "id" bigserial primary key,
        "user_id" bigint not null,
        "issuer" varchar(500) not null,
        "subject" varchar(255) not null,
        "email" varchar(255) not null,
        "created_at" timestamptz not null,
        "last_used_at" timestamptz not null
      );
      alter table "external_identities" add constraint "external_identities_issuer_subject_unique" unique ("issuer", "subject");
      create index "external_identities_user_id_index" on "external_identities" ("user_id");
      alter table "external_identities" add constraint "external_identities_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;

      create table "begun_sign_ins" (
        "id" bigserial primary key,
        "digest" varchar(64) not null,
        "next" varchar(500) null,
        "created_at" timestamptz not null,
        "expires_at" timestamptz not null
      );
      alter table "begun_sign_ins" add constraint "begun_sign_ins_digest_unique" unique ("digest");
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
        "expires_at" timestamptz not null
      );
      alter table "pending_identity_links" add constraint "pending_identity_links_digest_unique" unique ("digest");
      create index "pending_identity_links_user_id_index" on "pending_identity_links" ("user_id");
      create index "pending_identity_links_expires_at_index" on "pending_identity_links" ("expires_at");
      alter table "pending_identity_links" add constraint "pending_identity_links_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
    `);
  }
}

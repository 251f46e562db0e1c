import { Migration } from '@mikro-orm/migrations';

/**
 * Authenticator apps with their recovery codes, and sign-ins that wait for a second factor. The secret of an app is
 * encrypted, everything else is a digest.
 */
export class Migration126SecondFactors extends Migration {
  override up(): void {
    this.addSql(`
      create table "authenticators" (
        "user_id" bigint not null primary key,
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
        constraint "recovery_codes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade,
        constraint "recovery_codes_user_id_digest_unique" unique ("user_id", "digest")
      );

      create table "pending_sign_ins" (
        "id" bigserial primary key,
        "digest" varchar(64) not null,
        "user_id" bigint not null,
        "restricted" boolean not null,
        "expires_at" timestamptz not null,
        "created_at" timestamptz not null,
        constraint "pending_sign_ins_digest_unique" unique ("digest"),
        constraint "pending_sign_ins_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade
      );
      create index "pending_sign_ins_user_id_index" on "pending_sign_ins" ("user_id");
      create index "pending_sign_ins_expires_at_index" on "pending_sign_ins" ("expires_at");
    `);
  }
}

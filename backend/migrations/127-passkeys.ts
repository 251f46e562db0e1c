import { Migration } from '@mikro-orm/migrations';

/** Passkeys, of which only public keys are known, and the challenges that wait for an answer. */
export class Migration127Passkeys extends Migration {
  override up(): void {
    this.addSql(`
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
        "digest" varchar(64) not null primary key,
        "expires_at" timestamptz not null
      );
      create index "passkey_challenges_expires_at_index" on "passkey_challenges" ("expires_at");
    `);
  }
}

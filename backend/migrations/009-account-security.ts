import { Migration } from '@mikro-orm/migrations';

export class Migration009AccountSecurity extends Migration {
  override up(): void {
    this.addSql(`
      alter table "users" add column "erased_at" timestamptz null;
      create table "api_tokens" (
        "id" bigserial primary key,
        "digest" varchar(64) not null,
        "user_id" bigint not null,
        "name" varchar(100) not null,
        "scope" varchar(10) not null,
        "expires_at" timestamptz not null,
        "last_used_at" timestamptz null,
        "created_at" timestamptz not null
      );
      alter table "api_tokens" add constraint "api_tokens_digest_unique" unique ("digest");
      create index "api_tokens_user_id_index" on "api_tokens" ("user_id");
      create index "api_tokens_expires_at_index" on "api_tokens" ("expires_at");
      alter table "api_tokens" add constraint "api_tokens_user_id_foreign" foreign key ("user_id")
        references "users" ("id") on delete cascade;
      create table "username_changes" (
        "id" bigserial primary key,
        "user_id" bigint not null,
        "changed_at" timestamptz not null
      );
      create index "username_changes_user_id_index" on "username_changes" ("user_id", "changed_at");
      create index "username_changes_changed_at_index" on "username_changes" ("changed_at");
      alter table "username_changes" add constraint "username_changes_user_id_foreign" foreign key ("user_id")
        references "users" ("id") on delete cascade;
    `);
  }
}

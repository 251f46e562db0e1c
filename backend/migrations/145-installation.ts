import { Migration } from '@mikro-orm/migrations';

/** What this installation is called, so that storages and processes of another one are known; and what nobody names any more, kept for a while. */
export class Migration145Installation extends Migration {
  override up(): void {
    this.addSql(
      `create table "installation" ("id" varchar(36) not null, "only" boolean not null default true, "version" varchar(40) null, "secret_fingerprint" varchar(64) null, "storage_marked_at" timestamptz null, "storage_turn" int not null default 0, "last_comparison" jsonb null, primary key ("id"));`,
    );
    this.addSql(`alter table "installation" add constraint "installation_only_unique" unique ("only");`);
    this.addSql(`alter table "installation" add constraint "installation_only_check" check ("only");`);
    this.addSql(`insert into "installation" ("id") values (gen_random_uuid()::text);`);
    this.addSql(
      `create table "quarantined_objects" ("id" bigserial primary key, "object_key" varchar(200) not null, "storage_type" varchar(10) not null, "size" bigint not null, "found_at" timestamptz not null);`,
    );
    this.addSql(
      `alter table "quarantined_objects" add constraint "quarantined_objects_object_key_unique" unique ("object_key");`,
    );
    this.addSql(`create index "quarantined_objects_found_at_index" on "quarantined_objects" ("found_at");`);
  }
}

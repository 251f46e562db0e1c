import { Migration } from '@mikro-orm/migrations';

export class Migration091FileOpenings extends Migration {
  override up(): void {
    this.addSql(`
      create table "file_openings" (
        "file_id" bigint not null,
        "user_id" bigint not null,
        "first_at" timestamptz not null,
        "last_at" timestamptz not null,
        "views" int not null default 0,
        "downloads" int not null default 0,
        primary key ("file_id", "user_id")
      );
      create index "file_openings_file_id_last_at_index" on "file_openings" ("file_id", "last_at", "user_id");
      create index "file_openings_user_id_index" on "file_openings" ("user_id");
      insert into "file_openings" ("file_id", "user_id", "first_at", "last_at", "views", "downloads")
        select a."file_id", a."user_id", min(a."created_at"), max(a."created_at"),
          count(*) filter (where a."type" = 'file.viewed'), count(*) filter (where a."type" = 'file.downloaded')
        from "activity" a join "files" f on f."id" = a."file_id" join "users" u on u."id" = a."user_id"
        where a."type" in ('file.viewed', 'file.downloaded') group by a."file_id", a."user_id";
      alter table "file_openings" add constraint "file_openings_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Where people stopped reading. */
export class Migration0027ReadingPositions extends Migration {
  override up(): void {
    this.addSql(`
      create table "reading_positions" (
        "user_id" bigint not null,
        "file_id" bigint not null,
        "page" int null,
        "fraction" double precision not null,
        "seconds" int null,
        "updated_at" timestamptz not null,
        primary key ("user_id", "file_id"),
        constraint "reading_positions_unit_check" check ((page is null) <> (seconds is null)),
        constraint "reading_positions_page_check" check (page >= 1),
        constraint "reading_positions_seconds_check" check (seconds >= 0),
        constraint "reading_positions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade,
        constraint "reading_positions_file_id_foreign" foreign key ("file_id") references "files" ("id") on delete cascade
      );
      create index "reading_positions_file_id_index" on "reading_positions" ("file_id");
    `);
  }
}

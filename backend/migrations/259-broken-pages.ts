import { Migration } from '@mikro-orm/migrations';

/** Pages of documents that cannot be drawn, so that nobody waits for them twice. */
export class Migration259BrokenPages extends Migration {
  override up(): void {
    this.addSql(`
      create table "file_broken_pages" (
        "file_id" bigint not null, "page" int not null, "failure" varchar(30) not null,
        primary key ("file_id", "page"),
        constraint "file_broken_pages_file_id_foreign" foreign key ("file_id") references "file_documents" ("file_id") on delete cascade
      );
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** What is known of the pages of documents, and the pages that are drawn. */
export class Migration258DrawnDocuments extends Migration {
  override up(): void {
    this.addSql(`
      create table "file_documents" (
        "file_id" bigint not null primary key,
        "content_key" varchar(100) not null, "state" varchar(10) not null, "failure" varchar(30) null,
        "page_count" int null, "sizes" jsonb null, "first_at" timestamptz null, "updated_at" timestamptz not null,
        constraint "file_documents_state_check" check (state in ('waiting', 'ready', 'failed', 'none')),
        constraint "file_documents_failure_check" check ((state = 'failed') = (failure is not null)),
        constraint "file_documents_file_id_foreign" foreign key ("file_id") references "files" ("id") on update cascade on delete cascade
      );
      create index "file_documents_waiting_index" on "file_documents" ("state", "file_id") where "state" = 'waiting';
      create table "file_pages" (
        "file_id" bigint not null, "page" int not null, "width" smallint not null,
        "object_key" varchar(100) not null, "size" int not null,
        primary key ("file_id", "page", "width"),
        constraint "file_pages_object_key_unique" unique ("object_key"),
        constraint "file_pages_file_id_foreign" foreign key ("file_id") references "file_documents" ("file_id") on delete cascade
      );
    `);
  }
}

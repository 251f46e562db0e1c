import { Migration } from '@mikro-orm/migrations';

/**
 * What the pages of documents say, and their outlines. Searching leaves out the hyphens at which a word goes on in the
 * next line.
 */
export class Migration260TextsOfPages extends Migration {
  override up(): void {
    this.addSql(`
      alter table "file_documents" add column "outline" jsonb null,
        add column "texts" varchar(10) not null default 'none',
        add constraint "file_documents_texts_check" check (texts in ('none', 'waiting', 'ready'));
      create table "file_page_texts" (
        "file_id" bigint not null, "page" int not null, "text" text not null,
        "search_text" text generated always as (search_fold(replace("text", '\u00ad', ''))) stored,
        "layer_key" varchar(100) null,
        primary key ("file_id", "page"),
        constraint "file_page_texts_layer_key_unique" unique ("layer_key"),
        constraint "file_page_texts_file_id_foreign" foreign key ("file_id") references "file_documents" ("file_id") on delete cascade
      );
    `);
  }
}

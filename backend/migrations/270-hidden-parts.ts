import { Migration } from '@mikro-orm/migrations';

/**
 * What is hidden in documents and left out of their pages, and the files that are attached to PDFs. What was drawn and read
 * before may show hidden parts, and lacks form values, so it is made again: the empty key is that of no content.
 */
export class Migration270HiddenParts extends Migration {
  override up(): void {
    this.addSql(`
      alter table "file_documents" add column "hidden_sheets" int not null default 0,
        add column "hidden_deletions" boolean not null default false,
        add column "hidden_layers" boolean not null default false,
        add column "attachments" jsonb null;
    `);
    this.addSql(`
      update "file_documents" d set "content_key" = '', "state" = 'waiting' from "files" f
      where f."id" = d."file_id" and d."state" = 'ready' and f."mime_type" not like 'image/%' and f."mime_type" <> 'text/plain';
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** What is hidden in documents and left out of their pages, and the files that are attached to PDFs. */
export class Migration270HiddenParts extends Migration {
  override up(): void {
    this.addSql(`
      alter table "file_documents" add column "hidden_sheets" int not null default 0,
        add column "hidden_deletions" boolean not null default false,
        add column "hidden_layers" boolean not null default false,
        add column "attachments" jsonb null;
    `);
  }
}

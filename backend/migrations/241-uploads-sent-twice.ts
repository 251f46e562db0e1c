import { Migration } from '@mikro-orm/migrations';

/** Files name the request that brought them when it gave itself a key: sent once more, it is answered and stores nothing. */
export class Migration241UploadsSentTwice extends Migration {
  override up(): void {
    this.addSql(`
      alter table "files" add column "upload_key" uuid null;
      create index "files_upload_key_index" on "files" ("uploaded_by_id", "upload_key") where upload_key is not null;
    `);
  }
}

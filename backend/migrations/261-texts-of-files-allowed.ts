import { Migration } from '@mikro-orm/migrations';

/** Whether readers may select the text of a file that they may not download: where downloads are off they still could. */
export class Migration261TextsOfFilesAllowed extends Migration {
  override up(): void {
    this.addSql(`alter table "files" add column "allow_text" boolean not null default true;`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** The mark of the storage gets a sign of life each minute, which the database knows before. */
export class Migration243StorageInUse extends Migration {
  override up(): void {
    this.addSql(
      `alter table "installation" add column "storage_words" text[] null, add column "storage_word_at" timestamptz null;`,
    );
  }
}

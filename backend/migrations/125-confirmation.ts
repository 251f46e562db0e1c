import { Migration } from '@mikro-orm/migrations';

/** A session remembers when its person last showed that it is them. Those open now have yet to be asked. */
export class Migration125Confirmation extends Migration {
  override up(): void {
    this.addSql(`alter table "sessions" add column "confirmed_at" timestamptz null;`);
  }
}

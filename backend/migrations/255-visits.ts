import { Migration } from '@mikro-orm/migrations';

/** When a member was last in a zone; null of who has not been there since this is known. */
export class Migration255Visits extends Migration {
  override up(): void {
    this.addSql(`alter table "zone_members" add column "visited_at" timestamptz null;`);
  }
}

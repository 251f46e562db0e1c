import { Migration } from '@mikro-orm/migrations';

/** When somebody took a zone off their list of shared ones, after their membership had expired. */
export class Migration277DismissedZones extends Migration {
  override up(): void {
    this.addSql(`
      alter table "zone_members" add column "dismissed_at" timestamptz null;
    `);
  }
}

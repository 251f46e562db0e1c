import { Migration } from '@mikro-orm/migrations';

/** Which links of a mail the totals have counted its reader for: a click after its events have aged counts nobody twice. */
export class Migration168CountedClicks extends Migration {
  override up(): void {
    this.addSql(`alter table "deliveries" add column "counted_links" smallint[] null;`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** That somebody wants no mails of a zone stays when the zone is gone, as the consent does. */
export class Migration248UnsubscribesOutliveZones extends Migration {
  override up(): void {
    this.addSql(`alter table "email_unsubscribes" drop constraint "email_unsubscribes_zone_id_foreign";`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Goes through the rows for the checks of 275, while others write. */
export class Migration278ChecksOfKeptMails extends Migration {
  override up(): void {
    this.addSql(`alter table "campaigns" validate constraint "campaigns_counts_check";`);
    this.addSql(`alter table "deliveries" validate constraint "deliveries_state_check";`);
  }
}

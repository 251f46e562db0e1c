import { Migration } from '@mikro-orm/migrations';

/** Which field of a delivery is missing or wrong, so that whoever connects a sender knows what to mend. */
export class Migration183FieldOfADelivery extends Migration {
  override up(): void {
    this.addSql(`alter table "integration_webhooks" add column "error_field" varchar(60) null;`);
  }
}

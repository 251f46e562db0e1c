import { Migration } from '@mikro-orm/migrations';

/** Who was sent to a checkout: until their subscription is known here, Stripe is asked for it. */
export class Migration276AwaitedCheckouts extends Migration {
  override up(): void {
    this.addSql(`
      alter table "billing_accounts" add column "checkout_sent_at" timestamptz null, add column "checkout_asked_at" timestamptz null;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Mails made while no mail server was set are kept: they are neither delivered nor failed, and count against no quota. The
 * checks allow more than before; 278 goes through the rows, which takes long and here would lock both tables meanwhile.
 */
export class Migration275KeptMails extends Migration {
  override up(): void {
    this.addSql(`
      alter table "campaigns" add column "kept_count" int not null default 0;
      alter table "campaigns" drop constraint "campaigns_counts_check";
      alter table "campaigns" add constraint "campaigns_counts_check" check (
        delivered_count >= 0 and kept_count >= 0 and failed_count >= 0 and skipped_count >= 0 and cancelled_count >= 0
        and returned_count >= 0 and open_count >= 0 and click_count >= 0
        and delivered_count + kept_count + failed_count + skipped_count + cancelled_count <= recipient_count) not valid;
      alter table "deliveries" drop constraint "deliveries_state_check";
      alter table "deliveries" add constraint "deliveries_state_check"
        check (state in ('queued', 'sending', 'delivered', 'kept', 'failed', 'skipped', 'cancelled')) not valid;
      alter table "invitations" add column "kept_at" timestamptz null;
    `);
  }
}

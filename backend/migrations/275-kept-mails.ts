import { Migration } from '@mikro-orm/migrations';

/** Mails made while no mail server was set are kept: they are neither delivered nor failed, and count against no quota. */
export class Migration275KeptMails extends Migration {
  override up(): void {
    this.addSql(`
      alter table "campaigns" add column "kept_count" int not null default 0;
      alter table "campaigns" drop constraint "campaigns_counts_check";
      alter table "campaigns" add constraint "campaigns_counts_check" check (
        delivered_count >= 0 and kept_count >= 0 and failed_count >= 0 and skipped_count >= 0 and cancelled_count >= 0
        and returned_count >= 0 and open_count >= 0 and click_count >= 0
        and delivered_count + kept_count + failed_count + skipped_count + cancelled_count <= recipient_count);
      alter table "deliveries" drop constraint "deliveries_state_check";
      alter table "deliveries" add constraint "deliveries_state_check"
        check (state in ('queued', 'sending', 'delivered', 'kept', 'failed', 'skipped', 'cancelled'));
      alter table "invitations" add column "kept_at" timestamptz null;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Entitlements name a notice that is due, and its job, as invitations and requests to join do. */
export class Migration230NoticesOfEntitlements extends Migration {
  override up(): void {
    this.addSql(`
      alter table "entitlements" rename column "is_untold" to "is_notice_due";
      alter table "entitlements" rename column "told_by" to "notice_job_id";
      alter index "entitlements_untold_index" rename to "entitlements_notice_due_index";
    `);
  }
}

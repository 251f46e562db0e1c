import { Migration } from '@mikro-orm/migrations';

/**
 * Answers go to an address of a zone only once its mailbox has agreed. An address that is the owner's own and verified
 * has; any other is asked for when the settings are saved next.
 */
export class Migration167ReplyToProof extends Migration {
  override up(): void {
    this.addSql(`
      alter table "zone_mail_settings"
        add column "reply_to_proved_at" timestamptz null,
        add column "reply_to_asked_at" timestamptz null;
      update "zone_mail_settings" s set "reply_to_proved_at" = now()
      from "zones" z join "users" o on o."id" = z."owner_id"
      where z."id" = s."zone_id" and o."email" = s."reply_to" and o."email_verified";
      alter table "zone_mail_settings" add constraint "zone_mail_settings_reply_to_check"
        check ("reply_to" is not null or ("reply_to_proved_at" is null and "reply_to_asked_at" is null));
    `);
  }
}

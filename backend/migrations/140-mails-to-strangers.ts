import { Migration } from '@mikro-orm/migrations';

/**
 * Mails to people who are not in a zone yet are counted by day: of an owner, of a zone's links, and to an address. Those
 * of visitors for whom no place was left go out on a later day.
 */
export class Migration140MailsToStrangers extends Migration {
  override up(): void {
    this.addSql(`
      create table "stranger_mails" (
        "owner_id" bigint not null,
        "day" varchar(10) not null,
        "scope" varchar(10) not null,
        "subject" varchar(64) not null,
        "used" bigint not null default '0',
        "told_at" timestamptz null,
        primary key ("owner_id", "day", "scope", "subject")
      );
      alter table "stranger_mails" add constraint "stranger_mails_used_check" check (used >= 0);
      alter table "stranger_mails" add constraint "stranger_mails_owner_id_foreign" foreign key ("owner_id")
        references "users" ("id") on delete cascade;
      create index "stranger_mails_day_index" on "stranger_mails" ("day");

      alter table "owner_plans" add column "invites" bigint null;
      alter table "owner_plans" drop constraint "owner_plans_limits_check";
      alter table "owner_plans" add constraint "owner_plans_limits_check"
        check (zones >= 0 and people >= 0 and bytes >= 0 and mails >= 0 and invites >= 0);

      alter table "pending_joins" add column "is_mail_held" boolean not null default false;
      create index "pending_joins_held_index" on "pending_joins" ("id") where is_mail_held;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Whose fault a mail was refused for: only the reader's counts against an address, and only what came after the last time it
 * was lifted. What failed before is judged by the answer that was kept of it.
 */
export class Migration175WhoseFault extends Migration {
  override up(): void {
    this.addSql(`
      alter table "deliveries" add column "fault" varchar(6) null, add column "failed_at" timestamptz null;
      alter table "deliveries" add constraint "deliveries_fault_check" check (fault in ('reader', 'sender'));
      update "deliveries" set "fault" = case
          when "smtp_code" >= 500 and "reason" ~ '(^|[^0-9.])5\\.(1\\.(0|1|2|3|6|10)|2\\.1)([^0-9.]|$)' then 'reader'
          when "smtp_code" in (550, 551, 553) and "reason" !~ '(^|[^0-9.])5\\.[0-9]{1,3}\\.[0-9]{1,3}([^0-9.]|$)'
            and "reason" ~* '(user|mailbox|recipient|account|address).*(unknown|not found|not exist|disabled|unavailable|inactive)|(unknown|invalid|no such|no) (user|mailbox|recipient|account|address)' then 'reader'
          else 'sender' end
        where "state" = 'failed';
      alter table "campaigns" add column "sender_fault_count" int not null default 0, add column "watched_from" int not null default 0;
      create table "suppression_lifts" ("owner_id" bigint not null, "digest" varchar(64) not null, "lifted_at" timestamptz not null, primary key ("owner_id", "digest"));
      alter table "suppression_lifts" add constraint "suppression_lifts_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade;
    `);
  }
}

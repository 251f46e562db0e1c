import { Migration } from '@mikro-orm/migrations';

/** How many mailboxes of a campaign are said to be missing, so that it pauses where that are too many, and counts for no reader. */
export class Migration250MissingMailboxes extends Migration {
  override up(): void {
    this.addSql(`
      alter table "campaigns" add column "reader_fault_count" int not null default 0, add column "readers_watched" boolean not null default true;
      update "campaigns" c set "reader_fault_count" = n.count from (
        select "campaign_id", count(*)::int as count from "deliveries" where "state" = 'failed' and "fault" = 'reader' group by 1
      ) n where n."campaign_id" = c."id";
    `);
  }
}

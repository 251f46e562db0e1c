import { Migration } from '@mikro-orm/migrations';

/** One place for when people were told of what gathers by the hour, and what became of an invitation that came back. */
export class Migration210HourlyNotices extends Migration {
  override up(): void {
    this.addSql(`
      create table "hourly_notices" (
        "kind" varchar(60) not null, "subject_id" bigint not null, "job_id" bigint not null,
        "told_at" timestamptz not null, primary key ("kind", "subject_id")
      );
      create index "hourly_notices_told_at_index" on "hourly_notices" ("told_at");
      insert into "hourly_notices" ("kind", "subject_id", "job_id", "told_at")
        select 'zones.tell-invitation-accepted', owner_id, job_id, told_at from "invitation_notices"
        union all
        select 'zones.tell-join-requests', zone_id, job_id, told_at from "join_request_notices";
      drop table "invitation_notices";
      drop table "join_request_notices";
      alter table "invitations" add column "undeliverable_at" timestamptz null;
      alter table "invitations" add constraint "invitations_undeliverable_check"
        check (undeliverable_at is null or not is_counted);
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Which requests to join nobody has been told of, and when the deciders of a zone were told last. Those that wait now are known. */
export class Migration176JoinRequestNotices extends Migration {
  override up(): void {
    this.addSql(`
      alter table "join_requests" add column "is_notice_due" boolean not null default false, add column "notice_job_id" bigint null;
      create index "join_requests_notice_index" on "join_requests" ("zone_id") where is_notice_due;
      create index "join_requests_notice_job_id_index" on "join_requests" ("notice_job_id");
      create table "join_request_notices" ("zone_id" bigint not null, "job_id" bigint not null, "told_at" timestamptz not null, primary key ("zone_id"));
      alter table "join_request_notices" add constraint "join_request_notices_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on update cascade on delete cascade;
    `);
  }
}

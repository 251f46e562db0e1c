import { Migration } from '@mikro-orm/migrations';

/** Who wants the news of the administration once a day, what was told when, and when a job gave up. */
export class Migration213NewsForAdministrators extends Migration {
  override up(): void {
    this.addSql(`
      alter table "users" add column "notify_administration" boolean not null default false;
      alter table "jobs" add column "dead_at" timestamptz null;
      create table "staff_news" (
        "day" date not null, "job_id" bigint not null, "since" timestamptz not null, "until" timestamptz not null,
        primary key ("day")
      );
    `);
  }
}

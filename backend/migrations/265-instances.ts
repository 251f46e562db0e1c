import { Migration } from '@mikro-orm/migrations';

/** Processes that run, with the time of their last heartbeat. */
export class Migration265Instances extends Migration {
  override up(): void {
    this.addSql(`
      create table "instances" (
        "id" uuid not null primary key, "role" varchar(10) not null, "host" varchar(255) not null, "port" int null,
        "seen_at" timestamptz not null,
        constraint "instances_role_check" check ("role" in ('web', 'worker'))
      );
    `);
  }
}

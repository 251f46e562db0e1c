import { Migration } from '@mikro-orm/migrations';

/** The plan of whoever has no larger one: one row, none while it has always been free. */
export class Migration253DefaultPlan extends Migration {
  override up(): void {
    this.addSql(`
      create table "default_plan" (
        "only" boolean not null default true, "plan" varchar(50) not null, "changed_at" timestamptz not null,
        primary key ("only"), constraint "default_plan_only_check" check ("only")
      );
    `);
  }
}

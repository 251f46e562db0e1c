import { Migration } from '@mikro-orm/migrations';

/** How subscriptions began and ended, and what was paid. What is subscribed to now began when it was last changed. */
export class Migration214SubscriptionHistory extends Migration {
  override up(): void {
    this.addSql(`
      create table "subscription_changes" (
        "id" bigserial primary key, "user_id" bigint null, "plan_before" varchar(50) not null,
        "plan_after" varchar(50) not null, "changed_at" timestamptz not null
      );
      create index "subscription_changes_user_id_index" on "subscription_changes" ("user_id");
      create index "subscription_changes_changed_at_index" on "subscription_changes" ("changed_at", "plan_before", "plan_after");
      alter table "subscription_changes" add constraint "subscription_changes_user_id_foreign" foreign key ("user_id")
        references "users" ("id") on delete set null;
      insert into "subscription_changes" ("user_id", "plan_before", "plan_after", "changed_at")
        select owner_id, 'free', subscribed_plan, updated_at from "owner_plans" where subscribed_plan <> 'free' order by owner_id;
      create table "paid_invoices" (
        "id" varchar(255) not null, "user_id" bigint null, "amount" bigint not null, "currency" varchar(3) not null,
        "paid_at" timestamptz not null, primary key ("id")
      );
      create index "paid_invoices_user_id_index" on "paid_invoices" ("user_id");
      create index "paid_invoices_paid_at_index" on "paid_invoices" ("paid_at", "currency", "amount");
      alter table "paid_invoices" add constraint "paid_invoices_user_id_foreign" foreign key ("user_id")
        references "users" ("id") on delete set null;
    `);
  }
}

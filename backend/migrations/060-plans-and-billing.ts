import { Migration } from '@mikro-orm/migrations';

export class Migration060PlansAndBilling extends Migration {
  override up(): void {
    this.addSql(`
      create table "owner_plans" (
        "owner_id" bigint not null,
        "subscribed_plan" varchar(50) not null default 'free',
        "granted_plan" varchar(50) null,
        "zones" bigint null,
        "people" bigint null,
        "bytes" bigint null,
        "mails" bigint null,
        "updated_at" timestamptz not null,
        primary key ("owner_id")
      );
      alter table "owner_plans" add constraint "owner_plans_limits_check"
        check (zones >= 0 and people >= 0 and bytes >= 0 and mails >= 0);
      alter table "owner_plans" add constraint "owner_plans_owner_id_foreign" foreign key ("owner_id")
        references "users" ("id") on update cascade on delete cascade;
      insert into "owner_plans" ("owner_id", "granted_plan", "updated_at")
        select "id", "plan", now() from "users" where "plan" <> 'free';

      create table "usage_warnings" (
        "owner_id" bigint not null,
        "metric" varchar(20) not null,
        "month" varchar(7) not null,
        "level" int not null,
        "warned_at" timestamptz not null,
        primary key ("owner_id", "metric", "month", "level")
      );
      alter table "usage_warnings" add constraint "usage_warnings_owner_id_foreign" foreign key ("owner_id")
        references "users" ("id") on delete cascade;

      alter table "users" add constraint "users_stripe_customer_id_unique" unique ("stripe_customer_id");
      alter table "users" add constraint "users_stripe_subscription_id_unique" unique ("stripe_subscription_id");

      create table "billing_accounts" (
        "user_id" bigint not null,
        "customers_made" int not null default 0,
        "asked" bigint not null default '0',
        "written" bigint not null default '0',
        "checkout_until" timestamptz null,
        "checkout_token" varchar(64) null,
        "interval" varchar(10) null,
        "cancel_at_period_end" boolean not null default false,
        "current_period_end" timestamptz null,
        "past_due_since" timestamptz null,
        "paused" boolean not null default false,
        primary key ("user_id")
      );
      alter table "billing_accounts" add constraint "billing_accounts_user_id_foreign" foreign key ("user_id")
        references "users" ("id") on update cascade on delete cascade;

      create table "stripe_events" (
        "id" varchar(255) not null,
        "type" varchar(100) not null,
        "customer_id" varchar(255) null,
        "outcome" varchar(20) not null,
        "received_at" timestamptz not null,
        primary key ("id")
      );
      create index "stripe_events_received_at_index" on "stripe_events" ("received_at");
      create index "stripe_events_customer_id_index" on "stripe_events" ("customer_id");
    `);
  }
}

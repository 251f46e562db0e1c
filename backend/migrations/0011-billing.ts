import { Migration } from '@mikro-orm/migrations';

/** Subscriptions and invoices of Stripe. */
export class Migration0011Billing extends Migration {
  override up(): void {
    this.addSql(`
      create table "billing_accounts" (
        "user_id" bigint primary key,
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
        "amount" bigint null,
        "currency" varchar(3) null,
        "live" int not null default 0,
        "failure_told" boolean not null default false,
        "checkout_sent_at" timestamptz null,
        "checkout_asked_at" timestamptz null,
        constraint "billing_accounts_user_id_foreign" foreign key ("user_id") references "users" ("id") on update cascade on delete cascade
      );
      create index "billing_accounts_several_index" on "billing_accounts" ("user_id") where live > 1;
      create table "stripe_events" (
        "id" varchar(255) primary key,
        "type" varchar(100) not null,
        "customer_id" varchar(255) null,
        "outcome" varchar(20) not null,
        "received_at" timestamptz not null
      );
      create index "stripe_events_received_at_index" on "stripe_events" ("received_at");
      create index "stripe_events_customer_id_index" on "stripe_events" ("customer_id");
      create table "subscription_changes" (
        "id" bigserial primary key,
        "user_id" bigint null,
        "plan_before" varchar(50) not null,
        "plan_after" varchar(50) not null,
        "changed_at" timestamptz not null,
        constraint "subscription_changes_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null
      );
      create index "subscription_changes_user_id_index" on "subscription_changes" ("user_id");
      create index "subscription_changes_changed_at_index" on "subscription_changes" ("changed_at", "plan_before", "plan_after");
      create table "paid_invoices" (
        "id" varchar(255) primary key,
        "user_id" bigint null,
        "amount" bigint not null,
        "currency" varchar(3) not null,
        "paid_at" timestamptz not null,
        constraint "paid_invoices_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null
      );
      create index "paid_invoices_user_id_index" on "paid_invoices" ("user_id");
      create index "paid_invoices_paid_at_index" on "paid_invoices" ("paid_at", "currency", "amount");
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** What a subscription costs, how many there are at once, and whether a letter said that a payment failed. */
export class Migration184WhatASubscriptionCosts extends Migration {
  override up(): void {
    this.addSql(`
      alter table "billing_accounts" add column "amount" bigint null, add column "currency" varchar(3) null,
        add column "live" int not null default 0, add column "failure_told" boolean not null default false;
      create index "billing_accounts_several_index" on "billing_accounts" ("user_id") where live > 1;
    `);
  }
}

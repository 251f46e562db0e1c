import { Migration } from '@mikro-orm/migrations';

/**
 * What was bought knows its order or subscription; what was taken back by hand stays so; when a purchase ended is kept
 * also while it opens nothing; whose account is gone leaves the purchase behind, so that no later news makes the account
 * anew; several temporary passwords live beside each other; and the logs are searched by indexes.
 */
export class Migration111Purchases extends Migration {
  override up(): void {
    this.addSql(`
      alter table "entitlements" add column "purchase_id" varchar(255) null;
      update "entitlements" set "purchase_id" =
        case when "source" = 'woocommerce' then split_part("external_id", ':', 1) else "external_id" end;
      alter table "entitlements" alter column "purchase_id" set not null;
      alter table "entitlements" add column "is_taken_back" boolean not null default false;
      alter table "entitlements" add column "is_untold" boolean not null default false;
      alter table "entitlements" add column "told_by" bigint null;
      create index "entitlements_source_purchase_id_index" on "entitlements" ("source", "purchase_id");
      create index "entitlements_untold_index" on "entitlements" ("user_id") where "is_untold";
      alter table "entitlements" drop constraint "entitlements_user_id_foreign";
      alter table "entitlements" add constraint "entitlements_user_id_foreign"
        foreign key ("user_id") references "users" ("id") on delete set null;

      create table "purchase_ends" (
        "source" varchar(20) not null,
        "purchase_id" varchar(255) not null,
        "occurred_at" timestamptz not null,
        "finality" smallint not null,
        primary key ("source", "purchase_id")
      );

      alter table "purchase_passwords" drop constraint "purchase_passwords_pkey";
      alter table "purchase_passwords" add constraint "purchase_passwords_pkey" primary key ("digest");
      create index "purchase_passwords_email_index" on "purchase_passwords" ("email");
    `);
  }
}

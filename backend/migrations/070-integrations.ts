import { Migration } from '@mikro-orm/migrations';

export class Migration070Integrations extends Migration {
  override up(): void {
    this.addSql(`
      create table "woocommerce_product_mappings" (
        "id" bigserial primary key,
        "product_id" varchar(64) not null,
        "product_name" varchar(255) not null,
        "zone_id" bigint not null,
        "is_active" boolean not null default true,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null
      );
      alter table "woocommerce_product_mappings" add constraint "product_mappings_product_id_zone_id_unique"
        unique ("product_id", "zone_id");
      create index "product_mappings_zone_id_index" on "woocommerce_product_mappings" ("zone_id");
      alter table "woocommerce_product_mappings" add constraint "product_mappings_zone_id_foreign"
        foreign key ("zone_id") references "zones" ("id") on delete cascade;

      create table "integration_webhooks" (
        "id" bigserial primary key,
        "source" varchar(20) not null,
        "delivery_id" varchar(255) not null,
        "event" varchar(80) not null,
        "status" varchar(10) not null default 'pending',
        "error_code" varchar(40) null,
        "order_id" varchar(64) null,
        "product_id" varchar(255) null,
        "product_name" varchar(255) null,
        "subscription_id" varchar(255) null,
        "stripe_event_id" varchar(255) null,
        "customer_id" varchar(255) null,
        "price_id" varchar(255) null,
        "customer_email" varchar(255) null,
        "customer_name" varchar(255) null,
        "zone_id" bigint null,
        "user_id" bigint null,
        "membership_created" boolean not null default false,
        "email_sent" boolean not null default false,
        "webhook_data" bytea null,
        "processed_at" timestamptz null,
        "created_at" timestamptz not null
      );
      alter table "integration_webhooks" add constraint "integration_webhooks_source_delivery_id_unique"
        unique ("source", "delivery_id");
      create index "integration_webhooks_source_id_index" on "integration_webhooks" ("source", "id");
      create index "integration_webhooks_source_status_id_index" on "integration_webhooks" ("source", "status", "id");
      create index "integration_webhooks_customer_email_index" on "integration_webhooks" ("customer_email");
      create index "integration_webhooks_zone_id_index" on "integration_webhooks" ("zone_id");
      create index "integration_webhooks_user_id_index" on "integration_webhooks" ("user_id");
      alter table "integration_webhooks" add constraint "integration_webhooks_zone_id_foreign"
        foreign key ("zone_id") references "zones" ("id") on delete set null;
      alter table "integration_webhooks" add constraint "integration_webhooks_user_id_foreign"
        foreign key ("user_id") references "users" ("id") on delete set null;

      create table "entitlements" (
        "id" bigserial primary key,
        "source" varchar(20) not null,
        "external_id" varchar(255) not null,
        "zone_id" bigint not null,
        "user_id" bigint null,
        "state" varchar(10) not null,
        "occurred_at" timestamptz not null,
        "finality" smallint not null,
        "webhook_id" bigint null,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null
      );
      alter table "entitlements" add constraint "entitlements_source_external_id_zone_id_unique"
        unique ("source", "external_id", "zone_id");
      create index "entitlements_zone_id_user_id_index" on "entitlements" ("zone_id", "user_id");
      create index "entitlements_user_id_index" on "entitlements" ("user_id");
      create index "entitlements_webhook_id_index" on "entitlements" ("webhook_id");
      create index "entitlements_waiting_index" on "entitlements" ("id") where "state" = 'waiting';
      alter table "entitlements" add constraint "entitlements_zone_id_foreign"
        foreign key ("zone_id") references "zones" ("id") on delete cascade;
      alter table "entitlements" add constraint "entitlements_user_id_foreign"
        foreign key ("user_id") references "users" ("id") on delete cascade;
      alter table "entitlements" add constraint "entitlements_webhook_id_foreign"
        foreign key ("webhook_id") references "integration_webhooks" ("id") on delete set null;

      create table "purchase_passwords" (
        "email" varchar(255) primary key,
        "digest" varchar(64) not null,
        "expires_at" timestamptz not null
      );
      create index "purchase_passwords_expires_at_index" on "purchase_passwords" ("expires_at");

      create table "webhook_refusals" (
        "source" varchar(20) not null,
        "day" date not null,
        "count" int not null default 1,
        primary key ("source", "day")
      );
    `);
  }
}

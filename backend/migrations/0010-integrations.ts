import { Migration } from '@mikro-orm/migrations';

/** Webhooks of shops, purchases and the zones that they open. */
export class Migration0010Integrations extends Migration {
  override up(): void {
    this.addSql(`
      create table "woocommerce_product_mappings" (
        "id" bigserial primary key,
        "product_id" varchar(64) not null,
        "product_name" varchar(255) not null,
        "zone_id" bigint not null,
        "is_active" boolean not null default true,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null,
        constraint "product_mappings_product_id_zone_id_unique" unique ("product_id", "zone_id"),
        constraint "product_mappings_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade
      );
      create index "product_mappings_zone_id_index" on "woocommerce_product_mappings" ("zone_id");
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
        "created_at" timestamptz not null,
        "error_field" varchar(60) null,
        constraint "integration_webhooks_source_delivery_id_unique" unique ("source", "delivery_id"),
        constraint "integration_webhooks_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null,
        constraint "integration_webhooks_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete set null
      );
      create index "integration_webhooks_source_id_index" on "integration_webhooks" ("source", "id");
      create index "integration_webhooks_source_status_id_index" on "integration_webhooks" ("source", "status", "id");
      create index "integration_webhooks_customer_email_index" on "integration_webhooks" ("customer_email");
      create index "integration_webhooks_zone_id_index" on "integration_webhooks" ("zone_id");
      create index "integration_webhooks_user_id_index" on "integration_webhooks" ("user_id");
      create index "integration_webhooks_source_order_id_index" on "integration_webhooks" ("source", "order_id", "id");
      create index "integration_webhooks_source_subscription_id_index" on "integration_webhooks" ("source", "subscription_id", "id");
      create index "integration_webhooks_source_processed_at_index" on "integration_webhooks" ("source", "processed_at", "id");
      create index "integration_webhooks_figures_index" on "integration_webhooks" ("source", "status", "membership_created");
      create index "integration_webhooks_bodies_index" on "integration_webhooks" ("created_at") where webhook_data is not null;
      create index "integration_webhooks_search_index" on "integration_webhooks" using gin (search_fold(coalesce("customer_email", '') || ' ' || coalesce("customer_name", '')) gin_trgm_ops);
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
        "updated_at" timestamptz not null,
        "purchase_id" varchar(255) not null,
        "is_taken_back" boolean not null default false,
        "is_notice_due" boolean not null default false,
        "notice_job_id" bigint null,
        constraint "entitlements_source_external_id_zone_id_unique" unique ("source", "external_id", "zone_id"),
        constraint "entitlements_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null,
        constraint "entitlements_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade,
        constraint "entitlements_webhook_id_foreign" foreign key ("webhook_id") references "integration_webhooks" ("id") on delete set null
      );
      create index "entitlements_zone_id_user_id_index" on "entitlements" ("zone_id", "user_id");
      create index "entitlements_user_id_index" on "entitlements" ("user_id");
      create index "entitlements_webhook_id_index" on "entitlements" ("webhook_id");
      create index "entitlements_waiting_index" on "entitlements" ("id") where "state" = 'waiting';
      create index "entitlements_source_purchase_id_index" on "entitlements" ("source", "purchase_id");
      create index "entitlements_notice_due_index" on "entitlements" ("user_id") where "is_notice_due";
      create table "purchase_passwords" (
        "email" varchar(255) not null,
        "digest" varchar(64) primary key,
        "expires_at" timestamptz not null
      );
      create index "purchase_passwords_expires_at_index" on "purchase_passwords" ("expires_at");
      create index "purchase_passwords_email_index" on "purchase_passwords" ("email");
      create table "webhook_refusals" (
        "source" varchar(20) not null,
        "day" date not null,
        "count" int not null default 1,
        primary key ("source", "day")
      );
      create table "purchase_ends" (
        "source" varchar(20) not null,
        "purchase_id" varchar(255) not null,
        "occurred_at" timestamptz not null,
        "finality" smallint not null,
        primary key ("source", "purchase_id")
      );
      create table "order_troubles" (
        "id" bigserial primary key,
        "source" varchar(20) not null,
        "purchase_id" varchar(255) not null,
        "zone_id" bigint null,
        "webhook_id" bigint null,
        "kind" varchar(10) not null,
        "since" timestamptz not null,
        "resolved_at" timestamptz null,
        "is_staff_due" boolean not null default true,
        "staff_job_id" bigint null,
        "is_owner_due" boolean not null default true,
        "owner_job_id" bigint null,
        "buyer_job_id" bigint null,
        constraint "order_troubles_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on delete cascade,
        constraint "order_troubles_webhook_id_foreign" foreign key ("webhook_id") references "integration_webhooks" ("id") on delete set null
      );
      create unique index "order_troubles_purchase_unique" on "order_troubles" ("source", "purchase_id", (coalesce("zone_id", 0)));
      create index "order_troubles_zone_id_index" on "order_troubles" ("zone_id");
      create index "order_troubles_webhook_id_index" on "order_troubles" ("webhook_id");
      create index "order_troubles_staff_job_id_index" on "order_troubles" ("staff_job_id");
      create index "order_troubles_owner_job_id_index" on "order_troubles" ("owner_job_id");
      create index "order_troubles_open_index" on "order_troubles" ("since") where resolved_at is null;
      create table "integration_silences" (
        "source" varchar(20) primary key,
        "webhook_id" bigint not null,
        "noted_at" timestamptz not null
      );
    `);
  }
}

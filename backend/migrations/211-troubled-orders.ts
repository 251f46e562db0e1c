import { Migration } from '@mikro-orm/migrations';

/** What was paid and has not opened its zone, and senders that have fallen silent. Those that wait now are known. */
export class Migration211TroubledOrders extends Migration {
  override up(): void {
    this.addSql(`
      create table "order_troubles" (
        "id" bigserial primary key, "source" varchar(20) not null, "purchase_id" varchar(255) not null,
        "zone_id" bigint null, "webhook_id" bigint null, "kind" varchar(10) not null, "since" timestamptz not null,
        "resolved_at" timestamptz null, "is_staff_due" boolean not null default true, "staff_job_id" bigint null,
        "is_owner_due" boolean not null default true, "owner_job_id" bigint null, "buyer_job_id" bigint null
      );
      create unique index "order_troubles_purchase_unique" on "order_troubles" ("source", "purchase_id", (coalesce("zone_id", 0)));
      create index "order_troubles_zone_id_index" on "order_troubles" ("zone_id");
      create index "order_troubles_webhook_id_index" on "order_troubles" ("webhook_id");
      create index "order_troubles_staff_job_id_index" on "order_troubles" ("staff_job_id");
      create index "order_troubles_owner_job_id_index" on "order_troubles" ("owner_job_id");
      create index "order_troubles_open_index" on "order_troubles" ("since") where resolved_at is null;
      alter table "order_troubles" add constraint "order_troubles_zone_id_foreign" foreign key ("zone_id")
        references "zones" ("id") on delete cascade;
      alter table "order_troubles" add constraint "order_troubles_webhook_id_foreign" foreign key ("webhook_id")
        references "integration_webhooks" ("id") on delete set null;
      create table "integration_silences" (
        "source" varchar(20) not null, "webhook_id" bigint not null, "noted_at" timestamptz not null, primary key ("source")
      );
    `);
  }
}

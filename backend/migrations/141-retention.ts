import { Migration } from '@mikro-orm/migrations';

/**
 * What grows with use gets a life. What lists and reports count of it is kept as totals, and an index leads to what is
 * old, so that removing it costs no more than there is to remove.
 */
export class Migration141Retention extends Migration {
  override up(): void {
    this.addSql(`
      create table "link_usage_totals" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "link_id" bigint null,
        "country" varchar(2) null,
        "outcome" varchar(30) not null,
        "attempts" bigint not null default '0',
        "joins" bigint not null default '0',
        "new_users" bigint not null default '0'
      );
      create unique index "link_usage_totals_unique" on "link_usage_totals" ("zone_id", "link_id", "country", "outcome")
        nulls not distinct;
      create index "link_usage_totals_link_id_index" on "link_usage_totals" ("link_id");
      alter table "link_usage_totals" add constraint "link_usage_totals_zone_id_foreign" foreign key ("zone_id")
        references "zones" ("id") on delete cascade;
      alter table "link_usage_totals" add constraint "link_usage_totals_link_id_foreign" foreign key ("link_id")
        references "temporary_links" ("id") on delete cascade;
      create index "link_usages_attempted_at_index" on "link_usages" ("attempted_at", "id");

      create table "campaign_event_totals" (
        "campaign_id" bigint not null,
        "link" smallint not null,
        "clicks" bigint not null default '0',
        "recipients" bigint not null default '0',
        "machine_events" bigint not null default '0',
        primary key ("campaign_id", "link")
      );
      alter table "campaign_event_totals" add constraint "campaign_event_totals_campaign_id_foreign"
        foreign key ("campaign_id") references "campaigns" ("id") on delete cascade;

      create index "integration_webhooks_bodies_index" on "integration_webhooks" ("created_at")
        where webhook_data is not null;
      create index "audit_log_traced_index" on "audit_log" ("created_at") where ip_address is not null;
      create index "campaign_events_traced_index" on "campaign_events" ("created_at")
        where ip_address is not null or user_agent is not null;

      create table "removals" (
        "kind" varchar(40) not null,
        "removed" bigint not null default '0',
        "finished_at" timestamptz null,
        "failed_at" timestamptz null,
        primary key ("kind")
      );
    `);
  }
}

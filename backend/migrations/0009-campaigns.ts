import { Migration } from '@mikro-orm/migrations';

/** Campaigns, their deliveries and events, templates, and email settings of zones. */
export class Migration0009Campaigns extends Migration {
  override up(): void {
    this.addSql(`
      create table "campaigns" (
        "id" bigserial primary key,
        "kind" varchar(10) not null default 'campaign',
        "zone_id" bigint not null,
        "sent_by_id" bigint not null,
        "name" varchar(255) not null,
        "subject" varchar(255) not null,
        "html_content" text not null,
        "text_content" text null,
        "target_audience" varchar(10) not null default 'all',
        "status" varchar(10) not null default 'draft',
        "tracking_enabled" boolean not null default true,
        "links" jsonb not null default '[]',
        "period" varchar(7) null,
        "recipient_count" int not null default 0,
        "delivered_count" int not null default 0,
        "failed_count" int not null default 0,
        "skipped_count" int not null default 0,
        "cancelled_count" int not null default 0,
        "returned_count" int not null default 0,
        "open_count" int not null default 0,
        "click_count" int not null default 0,
        "failure" varchar(30) null,
        "content_digest" varchar(64) null,
        "scheduled_at" timestamptz null,
        "time_zone" varchar(60) null,
        "started_at" timestamptz null,
        "sent_at" timestamptz null,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null,
        "sender_fault_count" int not null default 0,
        "watched_from" int not null default 0,
        "reader_fault_count" int not null default 0,
        "readers_watched" boolean not null default true,
        "kept_count" int not null default 0,
        constraint "campaigns_schedule_check" check (status <> 'scheduled' or scheduled_at is not null),
        constraint "campaigns_links_check" check (jsonb_typeof("links") = 'array'),
        constraint "campaigns_counts_check" check (delivered_count >= 0 and kept_count >= 0 and failed_count >= 0 and skipped_count >= 0 and cancelled_count >= 0 and returned_count >= 0 and open_count >= 0 and click_count >= 0 and delivered_count + kept_count + failed_count + skipped_count + cancelled_count <= recipient_count),
        constraint "campaigns_status_check" check (status in ('draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed')),
        constraint "campaigns_sent_by_id_foreign" foreign key ("sent_by_id") references "users" ("id") on delete cascade
      );
      create index "campaigns_zone_id_created_at_id_index" on "campaigns" ("zone_id", "created_at", "id");
      create index "campaigns_sent_by_id_created_at_id_index" on "campaigns" ("sent_by_id", "created_at", "id");
      create index "campaigns_active_index" on "campaigns" ("status", "id") where status in ('scheduled', 'sending', 'paused');
      create unique index "campaigns_welcome_unique" on "campaigns" ("zone_id") where kind = 'welcome';
      create table "deliveries" (
        "id" bigserial primary key,
        "campaign_id" bigint not null,
        "user_id" bigint null,
        "state" varchar(10) not null default 'queued',
        "attempts" smallint not null default 0,
        "run_at" timestamptz not null,
        "worker_id" uuid null,
        "smtp_code" smallint null,
        "reason" varchar(300) null,
        "sent_at" timestamptz null,
        "opened_at" timestamptz null,
        "clicked_at" timestamptz null,
        "event_count" smallint not null default 0,
        "counted_links" smallint[] null,
        "fault" varchar(6) null,
        "failed_at" timestamptz null,
        constraint "deliveries_campaign_id_user_id_unique" unique ("campaign_id", "user_id"),
        constraint "deliveries_state_check" check (state in ('queued', 'sending', 'delivered', 'kept', 'failed', 'skipped', 'cancelled')),
        constraint "deliveries_worker_check" check ((state = 'sending') = (worker_id is not null)),
        constraint "deliveries_fault_check" check (fault in ('reader', 'sender')),
        constraint "deliveries_campaign_id_foreign" foreign key ("campaign_id") references "campaigns" ("id") on delete cascade,
        constraint "deliveries_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete set null
      );
      create index "deliveries_user_id_index" on "deliveries" ("user_id");
      create index "deliveries_due_index" on "deliveries" ("campaign_id", "run_at", "id") where state = 'queued';
      create index "deliveries_sending_index" on "deliveries" ("worker_id") where state = 'sending';
      create index "deliveries_failed_index" on "deliveries" ("campaign_id", "id") where state = 'failed';
      create index "deliveries_sent_at_index" on "deliveries" using brin ("sent_at");
      create table "delivery_workers" (
        "id" uuid primary key,
        "seen_at" timestamptz not null
      );
      create table "send_rates" (
        "name" varchar(30) primary key,
        "tokens" double precision not null,
        "updated_at" timestamptz not null
      );
      create table "campaign_events" (
        "id" bigserial primary key,
        "campaign_id" bigint not null,
        "delivery_id" bigint not null,
        "type" varchar(10) not null,
        "link" smallint null,
        "verdict" varchar(10) not null,
        "ip_address" varchar(64) null,
        "user_agent" varchar(500) null,
        "created_at" timestamptz not null,
        constraint "campaign_events_delivery_id_foreign" foreign key ("delivery_id") references "deliveries" ("id") on delete cascade,
        constraint "campaign_events_campaign_id_foreign" foreign key ("campaign_id") references "campaigns" ("id") on delete cascade
      );
      create index "campaign_events_campaign_id_index" on "campaign_events" ("campaign_id", "type");
      create index "campaign_events_delivery_id_index" on "campaign_events" ("delivery_id", "created_at");
      create index "campaign_events_created_at_index" on "campaign_events" ("created_at");
      create index "campaign_events_traced_index" on "campaign_events" ("created_at") where ip_address is not null or user_agent is not null;
      create table "email_templates" (
        "id" bigserial primary key,
        "owner_id" bigint not null,
        "name" varchar(255) not null,
        "subject" varchar(255) not null,
        "html_content" text not null,
        "created_at" timestamptz not null,
        "updated_at" timestamptz not null,
        constraint "email_templates_owner_id_foreign" foreign key ("owner_id") references "users" ("id") on delete cascade
      );
      create index "email_templates_owner_id_index" on "email_templates" ("owner_id");
      create table "zone_mail_settings" (
        "zone_id" bigint primary key,
        "from_name" varchar(100) null,
        "reply_to" varchar(255) null,
        "welcome_enabled" boolean not null default false,
        "welcome_skipped" int not null default 0,
        "reply_to_proved_at" timestamptz null,
        "reply_to_asked_at" timestamptz null,
        constraint "zone_mail_settings_reply_to_check" check ("reply_to" is not null or ("reply_to_proved_at" is null and "reply_to_asked_at" is null)),
        constraint "zone_mail_settings_zone_id_foreign" foreign key ("zone_id") references "zones" ("id") on update cascade on delete cascade
      );
      create table "campaign_event_totals" (
        "campaign_id" bigint not null,
        "link" smallint not null,
        "clicks" bigint not null default '0',
        "recipients" bigint not null default '0',
        "machine_events" bigint not null default '0',
        primary key ("campaign_id", "link"),
        constraint "campaign_event_totals_campaign_id_foreign" foreign key ("campaign_id") references "campaigns" ("id") on delete cascade
      );
    `);
  }
}

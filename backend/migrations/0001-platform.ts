import { Migration } from '@mikro-orm/migrations';

/**
 * Tables of the platform: jobs, rate limits, audit log, security events, installation and its settings.
 * `search_fold` is the folding of everything that is searched. It ignores case, accents ("odev" finds "ödev"),
 * look-alikes (NFKC: full-width letters, ligatures) and joiners (U+200C, U+200D), and skips this for ASCII. It isn't
 * `strict` and uses `t` cheaply, so PostgreSQL inlines it.
 */
export class Migration0001Platform extends Migration {
  override up(): void {
    this.addSql(`
      create extension if not exists pg_trgm;
      create collation "tr_numeric" (provider = icu, locale = 'tr-u-kn-true');
      create function search_fold(t text) returns text immutable parallel safe language sql as $$
        select case when octet_length(t) = length(t) then lower(t collate "C") else
          normalize(replace(replace(translate(
            regexp_replace(normalize(replace(
              lower(upper(lower(translate(normalize(translate(t, U&'\\200C\\200D', ''), NFKC), 'Iİı', 'iii') collate "und-x-icu") collate "und-x-icu") collate "und-x-icu"),
              'ς', 'σ'), NFD), '[\\u0300-\\u036f]+', '', 'g'),
            'øđłħŧ', 'odlht'), 'æ', 'ae'), 'œ', 'oe'), NFC) collate "C" end
      $$;
      create table "audit_log" (
        "id" bigserial primary key,
        "actor_id" bigint null,
        "subject_id" bigint null,
        "type" varchar(60) not null,
        "params" jsonb not null,
        "ip_address" varchar(64) null,
        "created_at" timestamptz not null
      );
      create index "audit_log_created_at_index" on "audit_log" ("created_at");
      create index "audit_log_actor_id_index" on "audit_log" ("actor_id");
      create index "audit_log_subject_id_index" on "audit_log" ("subject_id");
      create index "audit_log_type_index" on "audit_log" ("type", "created_at");
      create index "audit_log_traced_index" on "audit_log" ("created_at") where ip_address is not null;
      create table "clock_runs" (
        "name" varchar(100) not null,
        "slot" timestamptz not null,
        primary key ("name", "slot")
      );
      create table "jobs" (
        "id" bigserial primary key,
        "queue" varchar(30) not null,
        "name" varchar(100) not null,
        "payload" jsonb not null,
        "state" varchar(10) not null default 'queued',
        "priority" smallint not null default 0,
        "run_at" timestamptz not null,
        "attempts" smallint not null default 0,
        "max_attempts" smallint not null,
        "lease_until" timestamptz null,
        "lease_token" uuid null,
        "dispatched_at" timestamptz null,
        "last_error" text null,
        "created_at" timestamptz not null,
        "dead_at" timestamptz null,
        constraint "jobs_lease_check" check ((state = 'running') = (lease_token is not null))
      );
      create index "jobs_claim_index" on "jobs" ("queue", "priority", "run_at", "id") where state = 'queued';
      create index "jobs_lease_until_index" on "jobs" ("lease_until") where state = 'running';
      create index "jobs_dead_index" on "jobs" ("id") where state = 'dead';
      create table "rate_limits" (
        "key" varchar(120) primary key,
        "count" int not null,
        "ends_at" timestamptz not null
      );
      create index "rate_limits_ends_at_index" on "rate_limits" ("ends_at");
      create table "installation" (
        "id" varchar(36) primary key,
        "only" boolean not null default true,
        "version" varchar(40) null,
        "secret_fingerprint" varchar(64) null,
        "storage_marked_at" timestamptz null,
        "storage_turn" int not null default 0,
        "last_comparison" jsonb null,
        "storage_words" text[] null,
        "storage_word_at" timestamptz null,
        constraint "installation_only_unique" unique ("only"),
        constraint "installation_only_check" check ("only")
      );
      create table "mail_state" (
        "id" int primary key,
        "taken_at" timestamptz null,
        "refusing_since" timestamptz null,
        "refused_at" timestamptz null,
        "reason" varchar(300) null,
        constraint "mail_state_only_check" check (id = 1)
      );
      create table "security_events" (
        "id" bigserial primary key,
        "kind" varchar(20) not null,
        "day" date not null,
        "user_id" bigint not null,
        "network" varchar(64) not null,
        "detail" varchar(40) not null,
        "count" int not null default 1,
        "first_at" timestamptz not null,
        "last_at" timestamptz not null,
        constraint "security_events_series_unique" unique ("kind", "day", "user_id", "network", "detail")
      );
      create index "security_events_last_at_index" on "security_events" ("last_at", "id");
      create index "security_events_user_id_index" on "security_events" ("user_id", "last_at");
      create index "security_events_network_index" on "security_events" ("network", "last_at");
      create index "security_events_day_index" on "security_events" ("day");
      create table "hourly_notices" (
        "kind" varchar(60) not null,
        "subject_id" bigint not null,
        "job_id" bigint not null,
        "told_at" timestamptz not null,
        primary key ("kind", "subject_id")
      );
      create index "hourly_notices_told_at_index" on "hourly_notices" ("told_at");
      create table "installation_settings" (
        "key" varchar(60) primary key,
        "value" jsonb not null,
        "changed_by_id" bigint null,
        "changed_at" timestamptz not null
      );
      create table "instances" (
        "id" uuid primary key,
        "role" varchar(10) not null,
        "host" varchar(255) not null,
        "port" int null,
        "seen_at" timestamptz not null,
        constraint "instances_role_check" check ("role" in ('web', 'worker'))
      );
      insert into "installation" ("id") values (gen_random_uuid()::text);
      insert into "mail_state" ("id") values (1);
      create function "audit_log_append_only_fn"() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' then
          raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
        end if;
        if new.id is distinct from old.id or new.type is distinct from old.type
          or new.created_at is distinct from old.created_at
          or (new.actor_id is not null and new.actor_id is distinct from old.actor_id)
          or (new.subject_id is not null and new.subject_id is distinct from old.subject_id)
          or (new.ip_address is not null and new.ip_address is distinct from old.ip_address)
          or not (new.params <@ old.params) then
          raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
        end if;
        return new;
      end; $$;
      create trigger "append_only" before update or delete on "audit_log"
        for each row execute function "audit_log_append_only_fn"();
    `);
  }
}

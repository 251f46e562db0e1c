import { Migration } from '@mikro-orm/migrations';

export class Migration001Platform extends Migration {
  override up(): void {
    this.addSql(`
      create collation tr_numeric (provider = icu, locale = 'tr-u-kn-true');
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
      create or replace function "audit_log_append_only_fn"() returns trigger as $$ begin if tg_op = 'DELETE' then
          raise exception 'audit_log is append-only' using errcode = 'restrict_violation';   end if;   if new.id is distinct from old.id or new.type is distinct from old.type
          or new.created_at is distinct from old.created_at
          or (new.actor_id is not null and new.actor_id is distinct from old.actor_id)
          or (new.subject_id is not null and new.subject_id is distinct from old.subject_id)
          or (new.ip_address is not null and new.ip_address is distinct from old.ip_address)
          or not (new.params <@ old.params) then
          raise exception 'audit_log is append-only' using errcode = 'restrict_violation';   end if;   return new; end; $$ language plpgsql;
      create trigger "append_only" BEFORE UPDATE OR DELETE on "audit_log" for each ROW execute function "audit_log_append_only_fn"();
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
        "created_at" timestamptz not null
      );
      create index "jobs_claim_index" on "jobs" ("queue", "priority", "run_at", "id") where state = 'queued';
      create index "jobs_lease_until_index" on "jobs" ("lease_until") where state = 'running';
      alter table "jobs" add constraint "jobs_lease_check" check ((state = 'running') = (lease_token is not null));
      create table "rate_limits" (
        "key" varchar(120) not null,
        "count" int not null,
        "ends_at" timestamptz not null,
        primary key ("key")
      );
      create index "rate_limits_ends_at_index" on "rate_limits" ("ends_at");
    `);
  }
}

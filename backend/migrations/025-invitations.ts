import { Migration } from '@mikro-orm/migrations';

export class Migration025Invitations extends Migration {
  override up(): void {
    this.addSql(`
      create table "invitations" (
        "id" bigserial primary key,
        "zone_id" bigint not null,
        "email" varchar(255) not null,
        "first_name" varchar(50) null,
        "last_name" varchar(50) null,
        "invited_by_id" bigint null,
        "digest" varchar(64) null,
        "password_digest" varchar(64) null,
        "used" boolean not null default false,
        "is_counted" boolean not null default true,
        "expires_at" timestamptz not null,
        "created_at" timestamptz not null,
        "sent_at" timestamptz null,
        "used_at" timestamptz null,
        "is_notice_due" boolean not null default false,
        "notice_job_id" bigint null
      );
      alter table "invitations" add constraint "invitations_used_check" check (not (used and is_counted));
      alter table "invitations" add constraint "invitations_digest_unique" unique ("digest");
      alter table "invitations" add constraint "invitations_zone_id_email_unique" unique ("zone_id", "email");
      create index "invitations_zone_id_id_index" on "invitations" ("zone_id", "id");
      create index "invitations_email_index" on "invitations" ("email");
      create index "invitations_invited_by_id_index" on "invitations" ("invited_by_id");
      create index "invitations_expires_at_index" on "invitations" ("expires_at");
      create index "invitations_zone_id_notice_index" on "invitations" ("zone_id") where is_notice_due;
      create index "invitations_notice_job_id_index" on "invitations" ("notice_job_id");
      alter table "invitations" add constraint "invitations_zone_id_foreign" foreign key ("zone_id")
        references "zones" ("id") on delete cascade;
      alter table "invitations" add constraint "invitations_invited_by_id_foreign" foreign key ("invited_by_id")
        references "users" ("id") on delete set null;
      create table "invitation_notices" (
        "owner_id" bigint not null,
        "job_id" bigint not null,
        "told_at" timestamptz not null,
        primary key ("owner_id")
      );
      alter table "invitation_notices" add constraint "invitation_notices_owner_id_foreign" foreign key ("owner_id")
        references "users" ("id") on update cascade on delete cascade;
      alter table "users" add column "notify_accepted_invitations" boolean not null default true;
    `);
  }
}

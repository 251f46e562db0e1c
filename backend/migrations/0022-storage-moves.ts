import { Migration } from '@mikro-orm/migrations';

/** Moves of the files to another storage, and which of them each running process knows. */
export class Migration0022StorageMoves extends Migration {
  override up(): void {
    this.addSql(`
      create table "storage_moves" (
        "id" bigserial primary key,
        "source_url" varchar(2048) not null,
        "target_url" varchar(2048) not null,
        "state" varchar(10) not null default 'copying',
        "cursor" varchar(200) not null default '',
        "copied_objects" bigint not null default '0',
        "copied_bytes" bigint not null default '0',
        "total_objects" bigint not null default '0',
        "total_bytes" bigint not null default '0',
        "started_at" timestamptz not null,
        "updated_at" timestamptz not null,
        "switched_at" timestamptz null,
        "ended_at" timestamptz null,
        constraint "storage_moves_state_check" check ("state" in ('copying', 'preparing', 'switched', 'done', 'cancelled')),
        constraint "storage_moves_switched_at_check" check (("switched_at" is not null) = ("state" in ('switched', 'done')))
      );
      create unique index "storage_moves_open_unique" on "storage_moves" ((true)) where state in ('copying', 'preparing', 'switched');
      alter table "instances"
        add column "storage_url" varchar(2048) null,
        add column "storage_move_id" bigint null,
        add column "storage_problem" varchar(500) null;
    `);
  }
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type Kysely } from 'kysely';
import { query } from './query.js';
import { inTransaction } from './transaction.js';

/** Months prepared beyond the current one: how long cron may be down before rows go to the default partition. */
const MONTHS_AHEAD = 3;

/**
 * Creates the partitions of this and the coming months, so that rows don't go to the default partition if this isn't
 * called for a while.
 * @param table partitioned by month on `created_at`, with a default partition `{table}_default`
 */
export async function createMonthPartitions(em: EntityManager, table: string, now: Date): Promise<void> {
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 1));
    await inTransaction(em, (inner) => createMonthPartition(inner, table, from, to));
  }
}

/**
 * Drops the partitions of months that ended before an instant, which is faster than deleting their rows. If the table is
 * locked for long, the statement fails with a lock timeout.
 */
export async function dropMonthPartitions(em: EntityManager, table: string, before: Date): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(${table}) and c.relname ~ ${`^${table}_[0-9]{4}_[0-9]{2}$`}
      and c.relname < ${partitionNameOf(table, before)} order by 1`.execute(em.getKysely());
  for (const { name } of rows) await sql`drop table if exists ${sql.table(name)}`.execute(em.getKysely());
}

/**
 * Creates the partition of a month. Rows already in the default partition are moved, because PostgreSQL refuses to
 * attach a partition whose rows are there.
 * @param from start of the month (UTC)
 * @param to start of the next month (UTC)
 */
async function createMonthPartition(em: EntityManager, parent: string, from: Date, to: Date): Promise<void> {
  const db = query(em) as unknown as Kysely<unknown>;
  const name = partitionNameOf(parent, from);
  const exists = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(db);
  if (exists.rows[0]?.found) return;
  const [whole, rest, table] = [sql.table(parent), sql.table(`${parent}_default`), sql.table(name)];
  // Partition bounds can't be query parameters.
  const [start, end] = [sql.lit(from.toISOString()), sql.lit(to.toISOString())];
  // Locks the whole table, so that concurrent inserts wait before their partition is chosen; otherwise they would fail.
  await sql`lock table ${whole} in access exclusive mode`.execute(db);
  await sql`create table ${table} (like ${whole} including all)`.execute(db);
  await sql`with moved as (
      delete from ${rest} where created_at >= ${start}::timestamptz and created_at < ${end}::timestamptz returning *
    ) insert into ${table} select * from moved`.execute(db);
  await sql`alter table ${whole} attach partition ${table} for values from (${start}) to (${end})`.execute(db);
  await enableAutosummarize(db, name);
}

const partitionNameOf = (table: string, at: Date): string =>
  `${table}_${at.toISOString().slice(0, 7).replace('-', '_')}`;

/** A BRIN index covers only summarised ranges; without this, summarising is left to the next vacuum. */
async function enableAutosummarize(db: Kysely<unknown>, table: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = to_regclass(${table}) and a.amname = 'brin'`.execute(db);
  for (const { name } of rows) await sql`alter index ${sql.table(name)} set (autosummarize = on)`.execute(db);
}

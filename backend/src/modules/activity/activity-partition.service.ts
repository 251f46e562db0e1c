import { EntityManager } from '@mikro-orm/postgresql';
import { sql, type Kysely } from 'kysely';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { OnJob } from '../../platform/jobs/on-job.decorator.js';
import { createActivityPartitions } from './activity.jobs.js';

/** Months prepared beyond the current one: how long cron may be down before rows go to the default partition. */
const MONTHS_AHEAD = 3;

@Injectable()
export class ActivityPartitionService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates the partitions of the coming months. Rows already in the default partition are moved, because PostgreSQL
   * refuses to attach a partition whose rows are there.
   */
  @OnJob(createActivityPartitions)
  async createPartitions(): Promise<void> {
    const now = this.clock.now();
    for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
      const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
      const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1, 1));
      await inTransaction(this.em, (em) => createPartition(em.getKysely() as unknown as Kysely<unknown>, from, to));
    }
  }
}

async function createPartition(db: Kysely<unknown>, from: Date, to: Date): Promise<void> {
  const name = `activity_${from.toISOString().slice(0, 7).replace('-', '_')}`;
  const exists = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(db);
  if (exists.rows[0]?.found) return;
  const table = sql.table(name);
  // Partition bounds can't be query parameters.
  const [start, end] = [sql.lit(from.toISOString()), sql.lit(to.toISOString())];
  // Locks the whole table, so that concurrent inserts wait before their partition is chosen; otherwise they would fail.
  await sql`lock table activity in access exclusive mode`.execute(db);
  await sql`create table ${table} (like activity including all)`.execute(db);
  await sql`with moved as (
      delete from activity_default where created_at >= ${start}::timestamptz and created_at < ${end}::timestamptz returning *
    ) insert into ${table} select * from moved`.execute(db);
  await sql`alter table activity attach partition ${table} for values from (${start}) to (${end})`.execute(db);
  await enableAutosummarize(db, name);
}

/** A BRIN index covers only summarised ranges; without this, summarising is left to the next vacuum. */
async function enableAutosummarize(db: Kysely<unknown>, table: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = to_regclass(${table}) and a.amname = 'brin'`.execute(db);
  for (const { name } of rows) await sql`alter index ${sql.table(name)} set (autosummarize = on)`.execute(db);
}

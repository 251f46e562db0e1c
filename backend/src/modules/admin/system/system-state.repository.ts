import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { TableSizeDto } from '../dto/system.dto.js';

interface DatabaseState {
  readonly databaseVersion: string;
  readonly schemaVersion: string;
  readonly databaseBytes: number;
  readonly storedBytes: number;
}

/** Versions and sizes of the database. */
@Injectable()
export class SystemStateRepository {
  constructor(private readonly em: EntityManager) {}

  async fetchDatabaseState(): Promise<DatabaseState> {
    const { rows } = await sql<DatabaseState>`
      select current_setting('server_version') as "databaseVersion",
        (select name from mikro_orm_migrations order by id desc limit 1) as "schemaVersion",
        pg_database_size(current_database())::bigint as "databaseBytes",
        (select coalesce(sum(bytes), 0)::bigint from zone_stats) as "storedBytes"`.execute(this.em.getKysely());
    const state = rows[0]!;
    return { ...state, databaseBytes: Number(state.databaseBytes), storedBytes: Number(state.storedBytes) };
  }

  /**
   * Returns the `limit` largest tables. Partitions count towards their parent table. For tables never analysed, the row
   * count comes from the cumulative statistics.
   */
  async findLargestTables(limit: number): Promise<TableSizeDto[]> {
    const { rows } = await sql<TableSizeDto>`
      select coalesce(i.inhparent, c.oid)::regclass::text as name,
        sum(pg_total_relation_size(c.oid))::bigint as bytes, sum(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid)))::bigint as rows
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      group by 1 order by 2 desc limit ${limit}`.execute(this.em.getKysely());
    return rows.map(({ name, bytes, rows }) => ({ name, bytes: Number(bytes), rows: Number(rows) }));
  }
}

import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { readInBatches, type RowStream } from '../../../platform/database/in-batches.js';
import { query } from '../../../platform/database/query.js';
import {
  matchesUserId,
  type BatchErasure,
  type ColumnErasure,
  type DataSubject,
  type ErasedDataSubject,
  type ExportedList,
  type RowErasure,
} from './personal-table.sql.js';

type Row = Record<string, unknown>;

/** Reads and erases the rows that the map of personal data names. */
@Injectable()
export class PersonalDataRepository {
  constructor(private readonly em: EntityManager) {}

  /** Streams the rows of one list, in batches unless it is always short. */
  streamRows(list: ExportedList & { readonly from: string }, person: DataSubject): RowStream {
    const { fields, from, of = matchesUserId('user_id'), atOnce, pagedBy = 'id bigint' } = list;
    const em = this.em.fork();
    const rows = sql`select ${sql.raw(splitColumns(fields).map(toSelectColumn).join(', '))} from ${sql.raw(from)} where ${of(person)}`;
    const read = async (statement: RawBuilder<unknown>) => (await statement.execute(query(em))).rows as Row[];
    if (atOnce) return yieldAll(() => read(sql`${rows} order by ${sql.raw(atOnce)}`));
    const keys = splitColumns(pagedBy).map((key) => key.split(' ') as [column: string, type: string]);
    const names = sql.raw(keys.map(([name]) => name).join(', '));
    return readInBatches((last: Row | null, limit) => {
      const values = keys.map(([name, type]) => sql`${last?.[camelCase(name.split('.').at(-1)!)]}::${sql.raw(type)}`);
      const after = last ? sql` and (${names}) > (${sql.join(values)})` : sql``;
      return read(sql`${rows}${after} order by ${names} limit ${limit}`);
    });
  }

  /** Sets columns of a user's rows to null. */
  async clearColumns(table: string, erasure: ColumnErasure, person: ErasedDataSubject): Promise<void> {
    const columns = erasure.blank.split(' ').map((column) => `${column} = null`);
    const from = sql.table(erasure.in ?? table);
    await this.execute(sql`update ${from} set ${sql.raw(columns.join(', '))} where ${erasure.of(person)}`);
  }

  /** Deletes all of a user's rows. */
  async deleteRows(table: string, erasure: RowErasure, person: ErasedDataSubject): Promise<void> {
    await this.execute(sql`delete from ${sql.table(erasure.in ?? table)} where ${erasure.of(person)}`);
  }

  /** Deletes up to `limit` of a user's rows. @returns how many; fewer than `limit` if none is left */
  deleteBatch(table: string, erasure: BatchErasure, person: ErasedDataSubject, limit: number): Promise<number> {
    const rows = sql`from ${sql.table(erasure.in ?? table)} where ${erasure.of(person)}`;
    const key = sql.raw(erasure.by);
    return this.execute(sql`delete from ${sql.table(table)} where (${key}) in (select ${key} ${rows} limit ${limit})`);
  }

  private async execute(statement: RawBuilder<unknown>): Promise<number> {
    return Number((await statement.execute(query(this.em.fork()))).numAffectedRows ?? 0);
  }
}

/** Turns `m.created_at as joined_at` into a column named "joinedAt". */
function toSelectColumn(field: string): string {
  const [value, alias = value!.split('.').at(-1)!] = field.trim().split(/\s+as\s+/);
  return `${value} as "${camelCase(alias)}"`;
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Splits at commas outside of parentheses; those inside separate function arguments. */
const splitColumns = (list: string) => list.split(/,\s+(?![^(]*\))/);

async function* yieldAll(read: () => Promise<Row[]>): RowStream {
  yield* await read();
}

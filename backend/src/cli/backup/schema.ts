import pg from 'pg';

/** Where the mapper notes which migrations have run. */
const MIGRATIONS_TABLE = 'mikro_orm_migrations';
/** Not copied: these rows tell of the one installation and its processes; what is restored is another. */
const EXCLUDED_TABLES = [MIGRATIONS_TABLE, 'installation', 'instances', 'mail_state'];

export interface TableInfo {
  readonly name: string;
  /** Those that hold data of their own; the database computes the others. */
  readonly columns: readonly string[];
}

/** A part of a partitioned table, which has to be there before rows can go into it. */
export interface PartitionInfo {
  readonly name: string;
  readonly parent: string;
  /** `FOR VALUES FROM … TO …` or `DEFAULT`. */
  readonly bound: string;
}

export interface SequenceInfo {
  readonly name: string;
  readonly lastValue: string;
  readonly isCalled: boolean;
}

/** What of the schema the migrations alone do not bring back. */
export interface SchemaState {
  readonly tables: readonly TableInfo[];
  readonly partitions: readonly PartitionInfo[];
  readonly sequences: readonly SequenceInfo[];
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

export const quoteIdentifier = (name: string): string => pg.escapeIdentifier(name);

/** Migrations that have run in this database, in their order; none when it has never been used. */
export async function listAppliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `public.${MIGRATIONS_TABLE}`,
  ]);
  if (!rows[0]!.there) return [];
  const done = await client.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE} order by name`);
  return done.rows.map(({ name }) => name);
}

/** The state of the schema as the transaction under way sees it. */
export async function readSchema(client: pg.Client): Promise<SchemaState> {
  const tables = await client.query<TableInfo>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($1)
     group by c.relname order by c.relname`,
    [EXCLUDED_TABLES],
  );
  const partitions = await client.query<PartitionInfo>(
    `select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relispartition order by c.relname`,
  );
  const names = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname`,
  );
  const sequences: SequenceInfo[] = [];
  for (const { name } of names.rows) {
    const { rows } = await client.query<SequenceInfo>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${quoteIdentifier(name)}`,
    );
    sequences.push({ ...rows[0]!, name });
  }
  return { tables: tables.rows, partitions: partitions.rows, sequences };
}

/** The first table that has a row, or null. */
export async function findNonEmptyTable(client: pg.Client): Promise<string | null> {
  const { tables } = await readSchema(client);
  for (const { name } of tables) {
    const { rows } = await client.query<{ filled: boolean }>(
      `select exists(select from ${quoteIdentifier(name)}) as filled`,
    );
    if (rows[0]!.filled) return name;
  }
  return null;
}

/**
 * Opens a freshly migrated schema for rows in any order: without foreign keys and triggers. Gives what shuts it again,
 * which checks every reference and sets the sequences. All in the transaction under way.
 */
export async function disableConstraints(client: pg.Client, state: SchemaState): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<ForeignKey>(
    `select t.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class t on t.oid = k.conrelid
     where k.contype = 'f' and k.conparentid = 0 and k.connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of keys)
    await client.query(`alter table ${quoteIdentifier(table)} drop constraint ${quoteIdentifier(name)}`);
  for (const { name } of state.tables) await client.query(`alter table ${quoteIdentifier(name)} disable trigger user`);
  for (const { name, parent, bound } of state.partitions) {
    await client.query(
      `create table if not exists ${quoteIdentifier(name)} partition of ${quoteIdentifier(parent)} ${bound}`,
    );
  }
  return async () => {
    for (const { name, lastValue, isCalled } of state.sequences) {
      await client.query('select setval($1::regclass, $2, $3)', [quoteIdentifier(name), lastValue, isCalled]);
    }
    for (const { name } of state.tables) await client.query(`alter table ${quoteIdentifier(name)} enable trigger user`);
    for (const { table, name, definition } of keys) {
      await client.query(`alter table ${quoteIdentifier(table)} add constraint ${quoteIdentifier(name)} ${definition}`);
    }
  };
}

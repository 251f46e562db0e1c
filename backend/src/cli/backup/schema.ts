import pg from 'pg';

/** The ORM's table of applied migrations. */
const MIGRATIONS_TABLE = 'mikro_orm_migrations';
/**
 * Tables not included in backups, because their rows are about this installation and its processes; a restored copy is
 * a different one.
 */
const EXCLUDED_TABLES = [MIGRATIONS_TABLE, 'installation', 'instances', 'mail_state', 'storage_moves'];

export interface TableInfo {
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly string[];
}

/** A partition, which must exist before rows can be inserted into it. */
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

/** Parts of the schema that the migrations don't recreate. */
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

/** Returns the migrations applied to this database, in order; empty when it has never been used. */
export async function listAppliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `public.${MIGRATIONS_TABLE}`,
  ]);
  if (!rows[0]!.there) return [];
  const done = await client.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE} order by name`);
  return done.rows.map(({ name }) => name);
}

/** Returns the state of the schema as seen by the current transaction. */
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

/** Returns the first table with a row, or null. */
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
 * Disables foreign keys and triggers of a freshly migrated schema, so that rows can be inserted in any order. The
 * returned function enables them again, which checks all references, and sets the sequences. Everything runs in the
 * current transaction.
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

import type pg from 'pg';

/** Extensions, collations, functions and triggers. */
const OBJECTS = `
  select 'extension ' || extname as line from pg_extension
  union all select format('collation %s %s %s', collname, collprovider, colllocale) from pg_collation
    where collnamespace = 'public'::regnamespace
  union all select regexp_replace(pg_get_functiondef(p.oid), '\\s+', ' ', 'g') from pg_proc p
    where pronamespace = 'public'::regnamespace and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`;

/** Tables, columns, constraints and indexes. Column positions are left out. */
const TABLES = `
  select format('table %s %s %s', c.oid::regclass, pg_get_partkeydef(c.oid), pg_get_expr(relpartbound, c.oid)) as line
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  union all select format('column %s.%s %s %s %s %s %s', a.attrelid::regclass, attname, format_type(atttypid, atttypmod),
      case when attnotnull then 'not null' end, pg_get_expr(adbin, adrelid), attgenerated, collname)
    from pg_attribute a join pg_class c on c.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    left join pg_collation l on l.oid = attcollation
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
  union all select format('constraint %s %s %s %s', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select format('%s %s', pg_get_indexdef(oid), reloptions)
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('i', 'I')
  union all select format('sequence %s of %s.%s', s.oid::regclass, d.refobjid::regclass, a.attname)
    from pg_class s left join pg_depend d on d.objid = s.oid and d.deptype = 'a'
    left join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
    where s.relnamespace = 'public'::regnamespace and s.relkind = 'S'`;

/** Describes the schema of a database in sorted lines, so that two schemas can be compared. */
export async function describeSchema(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`${OBJECTS} union all ${TABLES}`);
  return rows.map(({ line }) => line.replaceAll(/\s+/g, ' ').trim()).sort();
}

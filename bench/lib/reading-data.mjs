/** Amounts of generated rows. Every fifth read is of the first file. */
const AMOUNTS = { users: 100_000, files: 1000, pages: 200 };

/**
 * Fills an empty zone with documents, their readers, page reads of the last 90 days, and their roll-ups.
 * @param {import('pg').Pool} pool
 * @param {{ zoneId: number, reads: number }} what
 */
export async function fillReadingData(pool, { zoneId, reads }) {
  const { rows } = await pool.query(INSERT_USERS, [AMOUNTS.users]);
  const firstUserId = Number(rows[0].id);
  const { rows: files } = await pool.query(INSERT_FILES, [AMOUNTS.files, zoneId]);
  const fileId = Number(files[0].id);
  await pool.query(INSERT_DOCUMENTS, [AMOUNTS.pages]);
  await pool.query(INSERT_READERS, [fileId, zoneId, firstUserId, AMOUNTS.users, AMOUNTS.pages]);
  // Indexes are built once and not row by row.
  const { rows: indexes } = await pool.query(SELECT_INDEXES);
  for (const { name } of indexes) await pool.query(`drop index ${name}`);
  await pool.query(INSERT_READS, [fileId, firstUserId, reads, AMOUNTS.files, AMOUNTS.users, AMOUNTS.pages]);
  for (const { definition } of indexes) await pool.query(definition);
  await pool.query(INSERT_PAGE_DAYS);
  await pool.query(INSERT_DAYS);
  await pool.query(`insert into roll_ups (name, through) values ('reading', now())
    on conflict (name) do update set through = excluded.through`);
  await pool.query('vacuum analyze');
}

const INSERT_USERS = `
  with created as (
    insert into users (email, first_name, last_name, email_verified, created_at, updated_at)
    select 'person.' || n || '@bench.example', 'Person', n::text, true, now(), now()
    from generate_series(1, $1::int) n returning id
  ) select min(id) as id from created`;

const INSERT_FILES = `
  with created as (
    insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, created_at, updated_at)
    select 'file ' || n, 'file ' || n, 'application/pdf', 1000, repeat('0', 64), 'bench/' || n, 'local', $2::bigint, now(), now()
    from generate_series(1, $1::int) n returning id
  ) select min(id) as id from created`;

const INSERT_DOCUMENTS = `
  insert into file_documents (file_id, content_key, state, page_count, updated_at)
  select id, object_key, 'ready', $1::int, now() from files`;

const INSERT_READERS = `
  insert into file_readers (file_id, version, user_id, zone_id, first_at, last_at, ms, pages, pages_read, last_page)
  select $1::bigint, 1, $3::bigint + n, $2::bigint, now() - interval '300 days', now() - n * interval '1 minute', 60000,
    decode(repeat('ff', $5::int / 8), 'hex'), 1 + n % $5::int, 1 + n % $5::int
  from generate_series(0, $4::int - 1) n`;

const SELECT_INDEXES = `
  select indexname as name, indexdef as definition from pg_indexes
  where tablename = 'page_reads' and indexname not like '%_pkey'`;

const INSERT_READS = `
  insert into page_reads (created_at, file_id, version, user_id, page, ms, is_first)
  select now() - interval '1 minute' - n * (interval '89 days' / $3::int),
    $1::bigint + case when n % 5 = 0 then 0 else n % $4::int end, 1, $2::bigint + (n * 7919::bigint) % $5::int,
    1 + n % $6::int, 8000, n % 10 = 0
  from generate_series(0, $3::int - 1) n`;

const INSERT_PAGE_DAYS = `
  insert into file_page_day (file_id, version, page, day, readers, ms)
  select file_id, version, page, (created_at at time zone 'UTC')::date, count(*) filter (where is_first), sum(ms)
  from page_reads group by 1, 2, 3, 4`;

const INSERT_DAYS = `
  insert into file_reading_day (file_id, day, readers, ms)
  select file_id, (created_at at time zone 'UTC')::date, count(distinct user_id), sum(ms) from page_reads group by 1, 2`;

/** Amounts of generated rows. Every fifth event belongs to the large owner. */
export const AMOUNTS = { users: 100_000, members: 100_000, zones: 100, files: 10_000, otherZones: 2000 };

/**
 * Fills an empty installation with generated rows: users, a large owner with 100 zones (one with 100,000 members),
 * 2,000 zones of others, and a year of events.
 * @param {import('pg').Pool} pool
 * @param {{ ownerId: number, smallOwnerId: number, events: number }} what
 */
export async function fillActivityData(pool, { ownerId, smallOwnerId, events }) {
  const { rows } = await pool.query(INSERT_USERS, [AMOUNTS.users]);
  const firstUserId = Number(rows[0].firstUserId);
  await pool.query(INSERT_ZONES, [ownerId, AMOUNTS.zones]);
  await pool.query(INSERT_OTHER_ZONES, [firstUserId, AMOUNTS.otherZones]);
  await pool.query(INSERT_FILES, [ownerId, AMOUNTS.files]);
  await pool.query(INSERT_ZONE_STATS, [ownerId, AMOUNTS.files / AMOUNTS.zones, AMOUNTS.members]);
  const { zoneId, fileId } = (await pool.query(SELECT_SAMPLE_IDS, [ownerId])).rows[0];
  const months = Array.from({ length: 13 }, (_, monthsAgo) => 12 - monthsAgo);
  const inserts = [0, 1, 2].map(async (group) => {
    for (const monthsAgo of months.filter((month) => month % 3 === group))
      await insertMonth(pool, { monthsAgo, ownerId, firstUserId, zoneId, fileId, events });
  });
  await Promise.all([...inserts, insertMembers(pool, zoneId, firstUserId), insertOpenings(pool, fileId, firstUserId)]);
  await pool.query(INSERT_FEW_EVENTS, [smallOwnerId]);
  await pool.query('vacuum analyze');
  return { zoneId: Number(zoneId), fileId: Number(fileId) };
}

const INSERT_USERS = `
  with created as (
    insert into users (email, first_name, last_name, email_verified, created_at, updated_at)
    select 'person.' || n || '@bench.example', 'Person', n::text, true, now() - n * interval '5 minutes', now()
    from generate_series(1, $1::int) n returning id
  ) select min(id) as "firstUserId" from created`;

const INSERT_ZONES = `
  insert into zones (name, owner_id, type, created_at, updated_at)
  select 'Zone ' || n, $1, 'private', now() - interval '1 year', now() from generate_series(1, $2::int) n`;

const INSERT_OTHER_ZONES = `
  insert into zones (name, owner_id, type, created_at, updated_at)
  select 'Other ' || n, $1 + n, 'private', now() - interval '1 year', now() from generate_series(1, $2::int) n`;

const INSERT_FILES = `
  with own_zones as (select id, row_number() over (order by id) - 1 as position, count(*) over () as zones from zones where owner_id = $1)
  insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, created_at, updated_at)
  select 'file ' || n, 'file ' || n, 'application/pdf', 1000, repeat('0', 64), 'bench/' || n, 'local', m.id, now(), now()
  from generate_series(1, $2::int) n join own_zones m on m.position = n % m.zones`;

const INSERT_ZONE_STATS = `
  insert into zone_stats (zone_id, files, members, bytes)
  select z.id, case when z.owner_id = $1 then $2::int else 0 end,
    case when z.id = (select min(id) from zones where owner_id = $1) then $3::int else 0 end,
    case when z.owner_id = $1 then $2::bigint * 1000 else 0 end
  from zones z on conflict do nothing`;

const SELECT_SAMPLE_IDS = `
  select min(id) as "zoneId", (select min(id) from files where zone_id = (select min(id) from zones where owner_id = $1)) as "fileId"
  from zones where owner_id = $1`;

const insertMembers = (pool, zoneId, firstUserId) =>
  pool.query(
    `insert into zone_members (zone_id, user_id, email, name_key, created_at)
     select $1, id, email, lower(last_name), created_at from users where id >= $2 and id < $2 + $3::int`,
    [zoneId, firstUserId, AMOUNTS.members],
  );

const insertOpenings = (pool, fileId, firstUserId) =>
  pool.query(
    `insert into file_openings (file_id, user_id, first_at, last_at, views, downloads)
     select $1, $2 + n, now() - interval '300 days', now() - n * interval '1 minute', 3, 1
     from generate_series(0, $3::int - 1) n`,
    [fileId, firstUserId, AMOUNTS.members],
  );

/** Fills a month in a separate table and attaches it as a partition, so that indexes are built once and not row by row. */
async function insertMonth(pool, { monthsAgo, ownerId, firstUserId, zoneId, fileId, events }) {
  const { rows } = await pool.query(`
    select to_char(month, '"activity_"YYYY_MM') as name, month::text as "from", (month + interval '1 month')::text as "to"
    from (select date_trunc('month', now() at time zone 'UTC') - ${monthsAgo} * interval '1 month' as month) m`);
  const { name, from, to } = rows[0];
  const { rows: existing } = await pool.query('select to_regclass($1) is not null as found', [name]);
  if (!existing[0].found) await pool.query(`create unlogged table ${name} (like activity including defaults)`);
  await pool.query(
    `insert into ${name} (created_at, type, owner_id, zone_id, user_id, file_id, params)
     select $1::timestamp at time zone 'UTC'
         + n * (least($2::timestamp, (now() at time zone 'UTC') - interval '10 seconds') - $1::timestamp) / $3::int,
       (array['file.viewed','file.viewed','file.viewed','file.downloaded','member.joined','file.viewed','file.downloaded',
         'member.left','file.viewed','user.signed_in'])[1 + n % 10],
       case when n % 5 = 0 then $4::bigint else $5::bigint + n % ${AMOUNTS.otherZones} end,
       case when n % 5 = 0 then $6::bigint + (n / 5) % ${AMOUNTS.zones} else $6::bigint + ${AMOUNTS.zones} + n % ${AMOUNTS.otherZones} end,
       $5::bigint + n % ${AMOUNTS.users}, $7::bigint + n % ${AMOUNTS.files}, '{"zoneName": "Zone", "fileName": "file.pdf"}'
     from generate_series(0, $3::int - 1) n`,
    [from, to, Math.ceil(events / 13), ownerId, firstUserId, zoneId, fileId],
  );
  if (!existing[0].found) {
    await pool.query(`alter table activity attach partition ${name} for values from ('${from}Z') to ('${to}Z')`);
  }
}

const INSERT_FEW_EVENTS = `
  insert into activity (created_at, type, owner_id, zone_id, user_id, file_id, params)
  select now() - n * interval '3 days', 'file.viewed', $1::bigint, (select min(id) from zones where owner_id = $1), $1, null,
    '{"zoneName": "Zone", "fileName": "file.pdf"}'
  from generate_series(1, 10) n`;

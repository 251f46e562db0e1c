/** Amounts of generated data. Every fifth event belongs to the large owner. */
export const amounts = { users: 100_000, members: 100_000, zones: 100, files: 10_000, otherZones: 2000 };

/**
 * Fills an empty installation with `generate_series`: users, a large owner with 100 zones (one with 100,000 members),
 * 2,000 zones of others, and a year of events.
 * @param {import('pg').Pool} pool
 * @param {{ ownerId: number, smallOwnerId: number, events: number }} what
 */
export async function fill(pool, { ownerId, smallOwnerId, events }) {
  const { rows } = await pool.query(makePeople, [amounts.users]);
  const first = Number(rows[0].first);
  await pool.query(makeZones, [ownerId, amounts.zones]);
  await pool.query(makeOtherZones, [first, amounts.otherZones]);
  await pool.query(makeFiles, [ownerId, amounts.files]);
  await pool.query(countZones, [ownerId, amounts.files / amounts.zones, amounts.members]);
  const { zoneId, fileId } = (await pool.query(landmarks, [ownerId])).rows[0];
  const months = Array.from({ length: 13 }, (_, ago) => 12 - ago);
  const lanes = [0, 1, 2].map(async (lane) => {
    for (const ago of months.filter((month) => month % 3 === lane))
      await makeMonth(pool, { ago, ownerId, first, zoneId, fileId, events });
  });
  await Promise.all([...lanes, makeMembers(pool, zoneId, first), makeOpenings(pool, fileId, first)]);
  await pool.query(fewEvents, [smallOwnerId]);
  await pool.query('vacuum analyze');
  return { zoneId: Number(zoneId), fileId: Number(fileId) };
}

const makePeople = `
  with made as (
    insert into users (email, first_name, last_name, email_verified, created_at, updated_at)
    select 'person.' || n || '@bench.example', 'Person', n::text, true, now() - n * interval '5 minutes', now()
    from generate_series(1, $1::int) n returning id
  ) select min(id) as first from made`;

const makeZones = `
  insert into zones (name, owner_id, type, created_at, updated_at)
  select 'Zone ' || n, $1, 'private', now() - interval '1 year', now() from generate_series(1, $2::int) n`;

const makeOtherZones = `
  insert into zones (name, owner_id, type, created_at, updated_at)
  select 'Other ' || n, $1 + n, 'private', now() - interval '1 year', now() from generate_series(1, $2::int) n`;

const makeFiles = `
  with mine as (select id, row_number() over (order by id) - 1 as place, count(*) over () as zones from zones where owner_id = $1)
  insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, created_at, updated_at)
  select 'file ' || n, 'file ' || n, 'application/pdf', 1000, repeat('0', 64), 'bench/' || n, 'local', m.id, now(), now()
  from generate_series(1, $2::int) n join mine m on m.place = n % m.zones`;

const countZones = `
  insert into zone_stats (zone_id, files, members, bytes)
  select z.id, case when z.owner_id = $1 then $2::int else 0 end,
    case when z.id = (select min(id) from zones where owner_id = $1) then $3::int else 0 end,
    case when z.owner_id = $1 then $2::bigint * 1000 else 0 end
  from zones z on conflict do nothing`;

const landmarks = `
  select min(id) as "zoneId", (select min(id) from files where zone_id = (select min(id) from zones where owner_id = $1)) as "fileId"
  from zones where owner_id = $1`;

const makeMembers = (pool, zoneId, first) =>
  pool.query(
    `insert into zone_members (zone_id, user_id, email, name_key, created_at)
     select $1, id, email, lower(last_name), created_at from users where id >= $2 and id < $2 + $3::int`,
    [zoneId, first, amounts.members],
  );

const makeOpenings = (pool, fileId, first) =>
  pool.query(
    `insert into file_openings (file_id, user_id, first_at, last_at, views, downloads)
     select $1, $2 + n, now() - interval '300 days', now() - n * interval '1 minute', 3, 1
     from generate_series(0, $3::int - 1) n`,
    [fileId, first, amounts.members],
  );

/** Fills a month as a separate table and attaches it as a partition: indexes are built once instead of row by row. */
async function makeMonth(pool, { ago, ownerId, first, zoneId, fileId, events }) {
  const { rows } = await pool.query(`
    select to_char(month, '"activity_"YYYY_MM') as name, month::text as "from", (month + interval '1 month')::text as "to"
    from (select date_trunc('month', now() at time zone 'UTC') - ${ago} * interval '1 month' as month) m`);
  const { name, from, to } = rows[0];
  const { rows: found } = await pool.query('select to_regclass($1) is not null as found', [name]);
  if (!found[0].found) await pool.query(`create unlogged table ${name} (like activity including defaults)`);
  await pool.query(
    `insert into ${name} (created_at, type, owner_id, zone_id, user_id, file_id, params)
     select $1::timestamp at time zone 'UTC'
         + n * (least($2::timestamp, (now() at time zone 'UTC') - interval '10 seconds') - $1::timestamp) / $3::int,
       (array['file.viewed','file.viewed','file.viewed','file.downloaded','member.joined','file.viewed','file.downloaded',
         'member.left','file.viewed','user.signed_in'])[1 + n % 10],
       case when n % 5 = 0 then $4::bigint else $5::bigint + n % ${amounts.otherZones} end,
       case when n % 5 = 0 then $6::bigint + (n / 5) % ${amounts.zones} else $6::bigint + ${amounts.zones} + n % ${amounts.otherZones} end,
       $5::bigint + n % ${amounts.users}, $7::bigint + n % ${amounts.files}, '{"zoneName": "Zone", "fileName": "file.pdf"}'
     from generate_series(0, $3::int - 1) n`,
    [from, to, Math.ceil(events / 13), ownerId, first, zoneId, fileId],
  );
  if (!found[0].found) {
    await pool.query(`alter table activity attach partition ${name} for values from ('${from}Z') to ('${to}Z')`);
  }
}

const fewEvents = `
  insert into activity (created_at, type, owner_id, zone_id, user_id, file_id, params)
  select now() - n * interval '3 days', 'file.viewed', $1::bigint, (select min(id) from zones where owner_id = $1), $1, null,
    '{"zoneName": "Zone", "fileName": "file.pdf"}'
  from generate_series(1, 10) n`;

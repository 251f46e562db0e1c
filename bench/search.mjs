import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findConnection, openAppContext } from './lib/app-context.mjs';
import { registerUser, startProduct } from './lib/product.mjs';
import { report } from './lib/report.mjs';

/**
 * `npm run bench:search -- [files]`: search by name with this many files in the installation (a million by default), a
 * tenth of them accessible to one user, in 41 zones and 410 mirrors (ADR 0006), and by text with 100,000 pages, all
 * accessible (ADR 0040). Prints the median of each search, then PostgreSQL's plan (EXPLAIN).
 */
const fileCount = Number(process.argv[2] ?? 1_000_000);
if (!Number.isInteger(fileCount) || fileCount < 1_000)
  throw new Error('The number of files must be an integer of at least 1000.');
const ZONES = 410;
/** Zones the user is a member of. */
const OWN_ZONES = 41;
const MIRRORS = 10;
const ROUNDS = 15;
const TEXT_DOCUMENTS = 2_000;
const PAGES_PER_DOCUMENT = 50;
const dataDir = mkdtempSync(join(tmpdir(), 'zonary-search-'));

/** Inserts rows bypassing the API, without their counters. */
async function fillDatabase(client, ownerId) {
  const execute = (sql, params = []) => client.query(sql, params);
  await execute('set session_replication_role = replica');
  await fillZones(execute, ownerId);
  await execute(INSERT_MIRRORS);
  await fillFiles(execute);
  await execute('set session_replication_role = origin');
  await execute('vacuum analyze');
}

/** Inserts zones with ten folders each, and the user's membership in the first of them. */
async function fillZones(execute, ownerId) {
  await execute(
    `insert into zones (name, type, owner_id, created_at, updated_at)
     select 'Bench ' || n, 'private', $1::bigint, now(), now() from generate_series(1, ${ZONES}) n`,
    [ownerId],
  );
  await execute(
    `insert into zone_members (zone_id, user_id, role, join_method, email, name_key, search_key, created_at)
     select z.id, $1::bigint, 'owner', 'invite', u.email, u.username, u.username, now()
     from (select id from zones where name like 'Bench %' order by id limit ${OWN_ZONES}) z, users u where u.id = $1::bigint`,
    [ownerId],
  );
  await execute(
    `insert into folders (name, name_key, zone_id, created_at, updated_at)
     select 'Folder ' || n, 'folder ' || n, z.id, now(), now() from zones z, generate_series(1, 10) n where z.name like 'Bench %'`,
  );
}

/** Mirrors folders of other zones in the user's zones. */
const INSERT_MIRRORS = `
    with own as (select id, row_number() over (order by id) as at from zones where name like 'Bench %' order by id limit ${OWN_ZONES}),
      shown as (
        select f.id, f.zone_id, row_number() over (order by f.id) as at from folders f
        where f.zone_id not in (select id from own) and f.name = 'Folder 1'),
      pairs as (select own.id as target, s.id as source, s.zone_id from own join generate_series(1, ${MIRRORS}) n on true
        join shown s on s.at = (own.at * ${MIRRORS} + n) % (select count(*) from shown) + 1),
      mounts as (
        insert into folders (name, name_key, zone_id, created_at, updated_at)
        select 'Mirror ' || source, 'mirror ' || source, target, now(), now() from pairs returning id, zone_id, name)
    insert into folder_mirrors (source_folder_id, source_zone_id, target_zone_id, target_folder_id, created_at, updated_at)
    select p.source, p.zone_id, p.target, m.id, now(), now()
    from pairs p join mounts m on m.zone_id = p.target and m.name = 'Mirror ' || p.source`;

async function fillFiles(execute) {
  // Realistic names: a number, a common word, and one with Turkish letters.
  await execute(
    `insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, folder_id,
       allow_download, created_at, updated_at)
     select w.name || ' ' || n || '.pdf', lower(w.name) || ' ' || n || '.pdf', 'application/pdf', 4, repeat('0', 64),
       'files/bench/' || lpad(n::text, 40, '0'), 'local', f.zone_id, f.id, true, now(), now()
     from generate_series(1, $1::int) n
     join (select id, zone_id, row_number() over (order by id) - 1 as at, count(*) over () as folders
       from folders where name like 'Folder %') f on f.at = n % f.folders
     join (values (0, 'Ders notu'), (1, 'Ödev'), (2, 'Quarterly report'), (3, 'Çizim')) w (at, name) on w.at = n / f.folders % 4`,
    [fileCount],
  );
}

/**
 * Gives documents of the user's zones pages of about 1,800 characters. "workshop" is on every page, "telescope" on one
 * page of the document changed last, and "zeppelin" only beyond the pages that a search reads.
 */
async function fillTexts(execute) {
  await execute('set session_replication_role = replica');
  await execute(
    `insert into file_documents (file_id, content_key, state, page_count, sizes, first_at, updated_at, texts)
     select f.id, f.object_key, 'ready', $1::int, '[]', now(), now(), 'ready'
     from files f where f.zone_id in (select id from zones where name like 'Bench %' order by id limit ${OWN_ZONES})
     order by f.id limit $2::int`,
    [PAGES_PER_DOCUMENT, TEXT_DOCUMENTS],
  );
  await execute(`update files f set updated_at = f.updated_at - f.id * interval '1 second'
    where id in (select file_id from file_documents)`);
  await execute(
    `insert into file_page_texts (file_id, page, text)
     select d.file_id, page, 'workshop ' ||
       case when page = $1::int and d.rank = 1 then 'telescope ' when d.rank = $2::int then 'zeppelin ' else '' end ||
       (select string_agg(word, ' ') from (
         select (array['lesson','Übung','çalışma','light','camera','measure','chapter','practice','İstanbul','notes'])
           [1 + (d.file_id * 7 + page * 13 + n * n) % 10] || (n * page) % 97 as word
         from generate_series(1, 200) n) words)
     from (select file_id, row_number() over (order by file_id) as rank from file_documents) d,
       generate_series(1, $1::int) page`,
    [PAGES_PER_DOCUMENT, TEXT_DOCUMENTS],
  );
  await execute('set session_replication_role = origin');
  await execute('vacuum analyze');
}

/** The latest search query of the product, with its values. */
let recordedQuery = null;

/** Records search queries. Call it before the first connection, because a pool binds its query method. */
function recordQueries() {
  // The product's driver, which may be a different copy from the one loaded here.
  const { Client } = createRequire(import.meta.resolve('@mikro-orm/postgresql'))('pg');
  const { query } = Client.prototype;
  Client.prototype.query = function (queryOrConfig, values, ...rest) {
    const text = typeof queryOrConfig === 'string' ? queryOrConfig : queryOrConfig?.text;
    if (/^\s*with recursive reach/.test(text ?? '')) recordedQuery = { text, values: queryOrConfig.values ?? values };
    return query.call(this, queryOrConfig, values, ...rest);
  };
}

async function measureSearch(label, search) {
  const times = [];
  let total;
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    ({ total } = await search());
    times.push(performance.now() - startedAt);
  }
  report(`${label} (${total} found)`, times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)], null, 'ms');
}

const product = await startProduct({ DATA_DIR: dataDir });
let appContext;
let client;
try {
  await registerUser(product.url, 'bench_search');
  client = new pg.Client(await findConnection(dataDir));
  await client.connect();
  const { rows } = await client.query(`select id from users where username = 'bench_search'`);
  const ownerId = Number(rows[0].id);
  await fillDatabase(client, ownerId);
  recordQueries();
  appContext = await openAppContext(dataDir);
  const searchService = await appContext.getService('modules/files/search/file-search.service.js', 'FileSearchService');
  const { rows: ownZones } = await client.query(`select min(zone_id) as id from zone_members where user_id = $1`, [
    ownerId,
  ]);
  const plans = [];
  for (const [scope, zoneId] of [
    ['everywhere', null],
    ['in one zone', Number(ownZones[0].id)],
  ]) {
    for (const q of ['odev 4', 'rapor', 'report 77', 'e']) {
      const search = () => searchService.searchByName(ownerId, zoneId, { q, limit: 50 });
      await measureSearch(`"${q}" ${scope}, median of ${ROUNDS}`, search);
      if (!recordedQuery) throw new Error('No search query was recorded.');
      plans.push({ name: `"${q}" ${scope}`, ...recordedQuery });
    }
  }
  await fillTexts((sql, params) => client.query(sql, params));
  const fullTextSearch = await appContext.getService(
    'modules/files/search/full-text-search.service.js',
    'FullTextSearchService',
  );
  for (const q of ['workshop', 'telescope', 'zeppelin', 'calisma']) {
    const search = async () => ({ total: (await fullTextSearch.searchTexts(ownerId, null, q, 20)).hits.length });
    await measureSearch(`"${q}" in ${TEXT_DOCUMENTS * PAGES_PER_DOCUMENT} pages, median of ${ROUNDS}`, search);
    plans.push({ name: `"${q}" in texts`, ...recordedQuery });
  }
  for (const { name, text, values } of plans) {
    const { rows: lines } = await client.query(`explain (analyze, buffers, timing off) ${text}`, values);
    console.log([`\n${name}:`, ...lines.map((line) => line['QUERY PLAN'])].join('\n'));
  }
} finally {
  await appContext?.close();
  await client?.end();
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

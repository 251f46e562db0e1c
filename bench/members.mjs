import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findConnection, openAppContext } from './lib/app-context.mjs';
import { BaselineMembers } from './lib/baseline-members.mjs';
import { cpuSeconds, registerUser, residentBytes, startProduct } from './lib/product.mjs';
import { measureRate, report, measureMs } from './lib/report.mjs';

/**
 * `npm run bench:members -- [part …]`: pages of a zone with 100,000 members, an import of 25,000 rows, invitations, memberships
 * added to one zone, and joins by signed-in users over HTTP. Prints figures with their limits and with a baseline: plain
 * statements through `pg` in the same run. Uses the embedded database with fsync on. Arguments select parts: import,
 * invitations, memberships, joins, pages.
 */
const MIB = 2 ** 20;
const IMPORT_ROWS = 25_000;
const MEMBERS = 100_000;
const INVITATIONS = 1_000;
const MEMBERSHIPS = 2_500;
const JOINS = 1_500;
const CONCURRENCY = 16;
const PAGE_SIZE = 100;
const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));

async function benchImport({ client, product, ownerId, baseline }) {
  const zone = await createZone(client);
  const form = new FormData();
  form.append('mode', 'add');
  form.append('consentConfirmed', 'true');
  const lines = Array.from({ length: IMPORT_ROWS }, (_, index) => `import${index}@bench.example;Şule ${index};Öz`);
  form.append('file', new Blob([`email;firstName;lastName\r\n${lines.join('\r\n')}`]), 'people.csv');
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.arrayBuffer());
  const contentType = encoded.headers.get('content-type');
  const bytesBefore = residentBytes(product.child.pid);
  let peakBytes = bytesBefore;
  const timer = setInterval(() => (peakBytes = Math.max(peakBytes, residentBytes(product.child.pid))), 20);
  let response;
  const duration = await measureMs(async () => {
    const headers = { 'Content-Type': contentType };
    response = await (await client.call('POST', `/api/zones/${zone.id}/members/import`, body, headers)).json();
  });
  clearInterval(timer);
  if (response.succeeded !== IMPORT_ROWS) throw new Error(`Only ${response.succeeded} rows were imported.`);
  report(`import of ${IMPORT_ROWS} rows`, duration / 1000, 10, 's');
  const users = Array.from({ length: IMPORT_ROWS }, (_, index) => `baseline-import${index}@bench.example`);
  const baselineZone = await createZone(client);
  report(
    '  baseline: the same rows by plain pg',
    (await measureMs(() => baseline.addMembers(ownerId, baselineZone.id, users))) / 1000,
    null,
    's',
  );
  report('  memory added to the web process', (peakBytes - bytesBefore) / MIB, 96, 'MiB');
}

async function benchInvitations({ client }) {
  const zone = await createZone(client);
  const emails = Array.from({ length: INVITATIONS }, (_, index) => `invited${index}@bench.example`);
  const duration = await measureMs(() => client.call('POST', `/api/zones/${zone.id}/invite`, { emails }));
  report(`response to ${INVITATIONS} invitations`, duration / 1000, 2, 's');
  const manyEmails = Array.from({ length: 10 * INVITATIONS }, (_, index) =>
    index % 50 ? `many${index}@bench.example` : `invalid${index}`,
  );
  const manyDuration = await measureMs(() =>
    client.call('POST', `/api/zones/${zone.id}/invite`, { emails: manyEmails }),
  );
  report(
    `  to ${manyEmails.length} invitations, ${manyEmails.length / 50} of them invalid`,
    manyDuration / 1000,
    null,
    's',
  );
}

async function benchMemberships({ client, appContext, ownerId, baseline }) {
  const members = await appContext.getService('modules/zones/joining/membership.service.js', 'MembershipService');
  const zone = { ...(await createZone(client)), ownerId };
  const consent = { ipAddress: null, method: 'public_link', text: 'x' };
  const addMembership = ({ id, email }) => {
    const user = { id, email, firstName: 'P', lastName: 'Q', username: null };
    return appContext
      .forkEntityManager()
      .transactional((em) => members.addMember(em, { zone, user, method: 'public_link', consent }));
  };
  await measureRate(await createUsers(appContext, 'warm', 200), CONCURRENCY, addMembership);
  // The more transactions wait for the zone's counters, the more time PostgreSQL spends on the queue: the limit applies
  // to half of the concurrency.
  for (const concurrency of [CONCURRENCY / 2, CONCURRENCY]) {
    const productRate = await measureRate(
      await createUsers(appContext, `added${concurrency}x`, MEMBERSHIPS),
      concurrency,
      addMembership,
    );
    report(
      `memberships added to one zone, ${concurrency} concurrently`,
      productRate,
      concurrency === CONCURRENCY ? null : 600,
      '/s',
      'more',
    );
    const baselineZone = await createZone(client);
    const users = await createUsers(appContext, `baseline${concurrency}x`, MEMBERSHIPS);
    const baselineRate = await measureRate(users, concurrency, (user, connectionIndex) =>
      baseline.addMember(ownerId, baselineZone.id, user, connectionIndex),
    );
    report('  baseline: the same rows by plain pg', baselineRate, null, '/s');
  }
}

async function benchJoins({ client, appContext, product, cookieName }) {
  const zone = await createZone(client);
  const sessions = await appContext.getService('modules/auth/sessions/session.service.js', 'SessionService');
  const origin = { ipAddress: null, userAgent: null };
  const users = await createUsers(appContext, 'join', JOINS);
  for (const user of users) {
    user.cookie = `${cookieName}=${await sessions.createSession(appContext.forkEntityManager(), user.id, false, origin, false)}`;
  }
  const call = async (path, { cookie }, body) => {
    const response = await fetch(product.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Cookie: cookie },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  const readRate = await measureRate(users, CONCURRENCY, (user) => call('/api/user', user));
  const cpuBefore = cpuSeconds(product.child.pid);
  const join = ({ email, cookie }) =>
    call(`/api/public-zones/${zone.publicLink}/join`, { cookie }, { email, emailConsent: true });
  const perSecond = await measureRate(users, CONCURRENCY, join);
  const usedCpuSeconds = cpuSeconds(product.child.pid) - cpuBefore;
  report(`joins over HTTP by signed-in users, ${CONCURRENCY} concurrently`, perSecond, 300, '/s', 'more');
  report('  CPU of the web process, share of one core', (usedCpuSeconds / (JOINS / perSecond)) * 100, null, '%');
  report('  GET /api/user by the same users', readRate, null, '/s');
}

async function benchPages({ client, appContext, baseline }) {
  const zone = await createZone(client);
  await fillZone(appContext, zone.id);
  for (const sort of ['joined', 'email', 'name']) {
    for (const order of ['asc', 'desc']) await benchSortOrder({ client, baseline, zone, sort, order });
  }
  const path = `/api/zones/${zone.id}/members?limit=${PAGE_SIZE}&q=`;
  for (const [label, q] of [
    ['a name of one member', 'name4711'],
    ['a part of every name', 'last'],
    ['two letters', '47'],
    ['an unknown name', 'nobodyhere'],
  ]) {
    const times = [];
    for (let n = 0; n < 10; n++) times.push(await measureMs(() => readResponse(client, path + q)));
    report(`search among ${MEMBERS} for ${label}, median of 10`, median(times), 50, 'ms');
  }
}

async function benchSortOrder({ client, baseline, zone, sort, order }) {
  const firstPagePath = `/api/zones/${zone.id}/members?sort=${sort}&order=${order}&limit=${PAGE_SIZE}`;
  const firstPageTimes = [];
  for (let n = 0; n < 20; n++) firstPageTimes.push(await measureMs(() => readResponse(client, firstPagePath)));
  let nextPath = firstPagePath;
  let slowest = 0;
  for (let page = 0; page < 20 && nextPath; page++) {
    let response;
    slowest = Math.max(slowest, await measureMs(async () => (response = await readResponse(client, nextPath))));
    nextPath = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  const baselineTimes = [];
  for (let n = 0; n < 20; n++)
    baselineTimes.push(await measureMs(() => baseline.readFirstPage(zone.id, sort, order, PAGE_SIZE)));
  report(`${MEMBERS} members by ${sort}, ${order}: first page, median of 20`, median(firstPageTimes), 50, 'ms');
  report('  slowest of 20 pages in a row', slowest, 50, 'ms');
  report('  baseline: first page by plain pg, median of 20', median(baselineTimes), null, 'ms');
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

async function readResponse(client, path) {
  const response = await client.call('GET', path);
  await response.arrayBuffer();
  return response;
}

const createZone = async (client) =>
  (await client.call('POST', '/api/zones', { name: `Bench ${randomBytes(3).toString('hex')}`, type: 'public' })).json();

/** Inserts users with accounts, without the cost of hashing passwords. */
async function createUsers(appContext, name, count) {
  const rows = await appContext.forkEntityManager().execute(
    `insert into users (email, first_name, last_name, username, password, email_verified, language, created_at, updated_at)
     select ? || n || '@bench.example', 'P', 'Q', ? || n, 'none', true, 'en', now(), now()
     from generate_series(1, ?::int) n returning id, email`,
    [name, name, count],
  );
  return rows.map(({ id, email }) => ({ id: Number(id), email }));
}

async function fillZone(appContext, zoneId) {
  const em = appContext.forkEntityManager();
  await em.execute(
    `insert into users (email, first_name, last_name, language, created_at, updated_at)
     select 'fill' || n || '@bench.example', 'Name' || (n::bigint * 7919 % 100003), 'Last', 'en', now(), now()
     from generate_series(1, ?::int) n`,
    [MEMBERS],
  );
  await em.execute(
    `insert into zone_members (zone_id, user_id, email, name_key, search_key, created_at)
     select ?, id, email, lower(first_name || ' last'), lower(first_name || ' last ' || email), now() - id * interval '1 second'
     from users where email like 'fill%'`,
    [zoneId],
  );
  await em.execute(`update zone_stats set members = ? where zone_id = ?`, [MEMBERS, zoneId]);
  await em.execute('vacuum analyze zone_members');
  await em.execute('vacuum analyze users');
}

const parts = {
  import: benchImport,
  invitations: benchInvitations,
  memberships: benchMemberships,
  joins: benchJoins,
  pages: benchPages,
};
const requestedParts = process.argv.slice(2);
const product = await startProduct({ DATA_DIR: dataDir });
let appContext;
let baseline;
try {
  const client = await registerUser(product.url, `bench_${randomBytes(3).toString('hex')}`);
  appContext = await openAppContext(dataDir);
  baseline = await BaselineMembers.open(pg, await findConnection(dataDir), CONCURRENCY);
  await appContext.forkEntityManager().execute(`update users set plan = 'enterprise'`);
  await appContext.forkEntityManager().execute(`update usage set allowed = null`);
  const { id: ownerId } = await (await client.call('GET', '/api/user')).json();
  const cookieName = client.cookie.split('=')[0];
  const [{ fsync }] = await appContext.forkEntityManager().execute('show fsync');
  console.log(`PostgreSQL with fsync ${fsync}`);
  for (const [name, runPart] of Object.entries(parts)) {
    if (requestedParts.length > 0 && !requestedParts.includes(name)) continue;
    await runPart({ client, product, appContext, baseline, ownerId, cookieName });
  }
} finally {
  await baseline?.close();
  await appContext?.close();
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

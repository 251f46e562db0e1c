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
 * `npm run bench:members`: pages of a zone with 100,000 members, an import of 25,000 rows, invitations, memberships
 * added to one zone, and joins by signed-in users over HTTP. Prints figures with their limits and with the result of
 * plain statements through `pg` in the same run. Uses the embedded database with fsync on. Arguments select parts:
 * import, invitations, admissions, joins, pages.
 */
const MIB = 2 ** 20;
const ROWS = 25_000;
const MEMBERS = 100_000;
const INVITED = 1_000;
const ADMISSIONS = 2_500;
const JOINS = 1_500;
const LANES = 16;
const PAGE = 100;
const dataDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));

async function benchImport({ client, product, owner, bare }) {
  const zone = await createZone(client);
  const form = new FormData();
  form.append('mode', 'add');
  form.append('consentConfirmed', 'true');
  const lines = Array.from({ length: ROWS }, (_, at) => `import${at}@bench.example;Şule ${at};Öz`);
  form.append('file', new Blob([`email;firstName;lastName\r\n${lines.join('\r\n')}`]), 'people.csv');
  const encoded = new Response(form);
  const body = Buffer.from(await encoded.arrayBuffer());
  const type = encoded.headers.get('content-type');
  const before = residentBytes(product.child.pid);
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, residentBytes(product.child.pid))), 20);
  let answer;
  const took = await measureMs(async () => {
    const headers = { 'Content-Type': type };
    answer = await (await client.call('POST', `/api/zones/${zone.id}/members/import`, body, headers)).json();
  });
  clearInterval(watch);
  if (answer.succeeded !== ROWS) throw new Error(`Only ${answer.succeeded} rows were taken.`);
  report(`import of ${ROWS} rows`, took / 1000, 10, 's');
  const people = Array.from({ length: ROWS }, (_, at) => `bare-import${at}@bench.example`);
  const bareZone = await createZone(client);
  report('  the same rows by bare pg', (await measureMs(() => bare.addMany(owner, bareZone.id, people))) / 1000, null, 's');
  report('  rise of memory by it, web process', (highest - before) / MIB, 96, 'MiB');
}

async function benchInvitations({ client }) {
  const zone = await createZone(client);
  const emails = Array.from({ length: INVITED }, (_, at) => `invited${at}@bench.example`);
  const took = await measureMs(() => client.call('POST', `/api/zones/${zone.id}/invite`, { emails }));
  report(`answer to ${INVITED} invitations`, took / 1000, 2, 's');
  const many = Array.from({ length: 10 * INVITED }, (_, at) => (at % 50 ? `many${at}@bench.example` : `broken${at}`));
  const longer = await measureMs(() => client.call('POST', `/api/zones/${zone.id}/invite`, { emails: many }));
  report(`  to ${many.length}, of which ${many.length / 50} are broken`, longer / 1000, null, 's');
}

async function benchAdmissions({ client, appContext, owner, bare }) {
  const members = await appContext.getService('modules/zones/joining/membership.service.js', 'MembershipService');
  const zone = { ...(await createZone(client)), ownerId: owner };
  const consent = { ipAddress: null, method: 'public_link', text: 'x' };
  const admit = ({ id, email }) => {
    const user = { id, email, firstName: 'P', lastName: 'Q', username: null };
    return appContext.forkEntityManager().transactional((em) => members.addMember(em, { zone, user, method: 'public_link', consent }));
  };
  await measureRate(await makePeople(appContext, 'warm', 200), LANES, admit);
  // The more transactions wait for the zone's counters, the more time PostgreSQL spends on the queue: the limit applies
  // to half of the lanes.
  for (const lanes of [LANES / 2, LANES]) {
    const ours = await measureRate(await makePeople(appContext, `admit${lanes}x`, ADMISSIONS), lanes, admit);
    report(`memberships into one zone, ${lanes} at once`, ours, lanes === LANES ? null : 600, '/s', 'more');
    const bareZone = await createZone(client);
    const people = await makePeople(appContext, `bare${lanes}x`, ADMISSIONS);
    const theirs = await measureRate(people, lanes, (person, lane) => bare.add(owner, bareZone.id, person, lane));
    report('  the same rows by bare pg', theirs, null, '/s');
  }
}

async function benchJoins({ client, appContext, product, cookieName }) {
  const zone = await createZone(client);
  const sessions = await appContext.getService('modules/auth/sessions/session.service.js', 'SessionService');
  const origin = { ipAddress: null, userAgent: null };
  const people = await makePeople(appContext, 'join', JOINS);
  for (const person of people) {
    person.cookie = `${cookieName}=${await sessions.createSession(appContext.forkEntityManager(), person.id, false, origin)}`;
  }
  const call = async (path, { cookie }, body) => {
    const answer = await fetch(product.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Cookie: cookie },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const idle = await measureRate(people, LANES, (person) => call('/api/user', person));
  const before = cpuSeconds(product.child.pid);
  const joining = ({ email, cookie }) =>
    call(`/api/public-zones/${zone.publicLink}/join`, { cookie }, { email, emailConsent: true });
  const perSecond = await measureRate(people, LANES, joining);
  const used = cpuSeconds(product.child.pid) - before;
  report(`joins over HTTP by the signed-in, ${LANES} at once`, perSecond, 300, '/s', 'more');
  report('  the web process, of one core', (used / (JOINS / perSecond)) * 100, null, '%');
  report('  GET /api/user by the same people', idle, null, '/s');
}

async function benchPages({ client, appContext, bare }) {
  const zone = await createZone(client);
  await fillZone(appContext, zone.id);
  for (const sort of ['joined', 'email', 'name']) {
    for (const order of ['asc', 'desc']) await benchSort({ client, bare, zone, sort, order });
  }
  const path = `/api/zones/${zone.id}/members?limit=${PAGE}&q=`;
  for (const [what, q] of [
    ['a name that one has', 'name4711'],
    ['a part of every name', 'last'],
    ['two letters', '47'],
    ['what nobody has', 'nobodyhere'],
  ]) {
    const times = [];
    for (let n = 0; n < 10; n++) times.push(await measureMs(() => read(client, path + q)));
    report(`search among ${MEMBERS} for ${what}, median of 10`, median(times), 50, 'ms');
  }
}

async function benchSort({ client, bare, zone, sort, order }) {
  const first = `/api/zones/${zone.id}/members?sort=${sort}&order=${order}&limit=${PAGE}`;
  const firsts = [];
  for (let n = 0; n < 20; n++) firsts.push(await measureMs(() => read(client, first)));
  let next = first;
  let worst = 0;
  for (let page = 0; page < 20 && next; page++) {
    let answer;
    worst = Math.max(worst, await measureMs(async () => (answer = await read(client, next))));
    next = /<(.+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  const times = [];
  for (let n = 0; n < 20; n++) times.push(await measureMs(() => bare.firstPage(zone.id, sort, order, PAGE)));
  report(`${MEMBERS} members by ${sort}, ${order}: first page, median of 20`, median(firsts), 50, 'ms');
  report('  worst of 20 pages in a row', worst, 50, 'ms');
  report('  the first page by bare pg, median of 20', median(times), null, 'ms');
}

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

async function read(client, path) {
  const answer = await client.call('GET', path);
  await answer.arrayBuffer();
  return answer;
}

const createZone = async (client) =>
  (await client.call('POST', '/api/zones', { name: `Bench ${randomBytes(3).toString('hex')}`, type: 'public' })).json();

/** Users with accounts, without the cost of hashing passwords. */
async function makePeople(appContext, name, count) {
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
  admissions: benchAdmissions,
  joins: benchJoins,
  pages: benchPages,
};
const chosen = process.argv.slice(2);
const product = await startProduct({ DATA_DIR: dataDir });
let appContext;
let bare;
try {
  const client = await registerUser(product.url, `bench_${randomBytes(3).toString('hex')}`);
  appContext = await openAppContext(dataDir);
  bare = await BaselineMembers.open(pg, await findConnection(dataDir), LANES);
  await appContext.forkEntityManager().execute(`update users set plan = 'enterprise'`);
  await appContext.forkEntityManager().execute(`update usage set allowed = null`);
  const { id: owner } = await (await client.call('GET', '/api/user')).json();
  const cookieName = client.cookie.split('=')[0];
  const [{ fsync }] = await appContext.forkEntityManager().execute('show fsync');
  console.log(`PostgreSQL with fsync ${fsync}`);
  for (const [name, part] of Object.entries(parts)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    await part({ client, product, appContext, bare, owner, cookieName });
  }
} finally {
  await bare?.close();
  await appContext?.close();
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

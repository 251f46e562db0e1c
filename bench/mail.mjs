import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as lib from './lib/email-helpers.mjs';
import { registerUser, root, startProduct } from './lib/product.mjs';

/**
 * `npm run bench:mail [-- part …]`: the cost of sending campaigns, compared with plain pooled nodemailer sending the
 * same email to the same mail server in the same run. Parts: `prepare` (100,000 recipients), `rate` (one worker with 20
 * connections), `dkim` (the same, signed), `workers` (one and two, with a server that responds after 25 ms), `memory`
 * (a worker with 1,000 and 100,000 recipients). `BENCH_RAW` names a file for one received email.
 */
const PARTS = ['prepare', 'rate', 'dkim', 'workers', 'memory'];
const CONNECTIONS = 20;
const MAILS = Number(process.env.BENCH_MAILS ?? 8000);
const MIB = 2 ** 20;

const given = process.argv.slice(2);
const unknown = given.find((part) => !PARTS.includes(part));
if (unknown) throw new Error(`There is no part "${unknown}"; there are ${PARTS.join(', ')}.`);
const chosen = new Set(given.length > 0 ? given : PARTS);

const folder = mkdtempSync(join(tmpdir(), 'zonary-bench-'));
// As root, PostgreSQL runs under another account, which needs to traverse the folder.
chmodSync(folder, 0o711);
const { EmbeddedPostgres } = await import(`${root}dist/backend/src/platform/database/embedded/embedded-postgres.js`);
const { connectionToUrl } = await import(`${root}dist/backend/src/platform/database/pool/database-connection.js`);
const postgres = new EmbeddedPostgres({ dataDir: join(folder, 'postgres'), database: 'zonary' });
const connection = await postgres.start();
const env = {
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: connectionToUrl(connection),
  APP_SECRET: randomBytes(32).toString('hex'),
  MAIL_FROM: 'Zonary <news@bench.example>',
  MAIL_CONNECTIONS: String(CONNECTIONS),
  COMPANY_ADDRESS: 'Bench Street 1, 34000 Istanbul',
};
const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const dkim = { domainName: 'bench.example', keySelector: 'bench', privateKey: String(key) };
const workerEnv = { APP_URL: 'https://bench.example' };
const dkimEnv = { DKIM_DOMAIN: dkim.domainName, DKIM_SELECTOR: dkim.keySelector, DKIM_PRIVATE_KEY: dkim.privateKey };

const paragraph = 'We have put new material into the zone this week, and you can read it whenever you like. ';
const htmlContent = `<h1>News for {{first_name|you}}</h1>${Array.from(
  { length: 12 },
  (_, at) => `<p>${paragraph.repeat(3)}<a href="https://news.example/item/${at}">Read on</a></p>`,
).join('')}<p><a href="{{zone_url}}">{{zone_name}}</a></p>`;

function report(what, value, limit, unit, better = 'less') {
  const good = limit === null || (better === 'less' ? value <= limit : value >= limit);
  const bound = limit === null ? '' : `${better === 'less' ? 'at most' : 'at least'} ${limit} ${unit}   `;
  const verdict = limit === null ? '' : good ? 'ok' : 'MISSED';
  console.log(`${what.padEnd(60)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(7)} ${bound}${verdict}`);
}

const median = (list) => [...list].sort((a, b) => a - b)[1];

let db;
let client;
let zones = 0;

/** An owner without a limit; the product runs with role `all`, because the account's code is sent by email. */
async function openOwner() {
  const product = await startProduct(env);
  client = await registerUser(product.url, 'bench_mail');
  await product.stop();
  db = await lib.connect(connection);
  await db.query(`insert into usage (owner_id, metric, period, allowed)
    select id, 'mails', to_char(now() at time zone 'utc', 'YYYY-MM'), null from users where username = 'bench_mail'
    on conflict (owner_id, metric, period) do update set allowed = null`);
}

async function zoneOf(count) {
  const { rows } = await db.query(`select id from users where username = 'bench_mail'`);
  const body = { name: `Bench ${++zones}`, type: 'private' };
  await db.query(`update usage set allowed = null where owner_id = $1`, [rows[0].id]);
  const zone = await (await client.call('POST', '/api/zones', body)).json();
  await lib.addMembers(db, zone.id, `zone${zone.id}`, count);
  return zone.id;
}

async function draftIn(zoneId) {
  const body = { subject: `News ${randomBytes(4).toString('hex')}`, htmlContent };
  return (await (await client.call('POST', `/api/zones/${zoneId}/campaigns`, body)).json()).id;
}

const send = (id) => client.call('POST', `/api/campaigns/${id}/send`);

/**
 * Sends one campaign to everybody in the zone.
 * @returns emails per second, and the first email
 */
async function campaign(sink, zoneId, count) {
  const id = await draftIn(zoneId);
  await sink.reset();
  await send(id);
  return sink.take(count);
}

async function prepare() {
  const zoneId = await zoneOf(100_000);
  const id = await draftIn(zoneId);
  const begun = performance.now();
  await send(id);
  report('preparing 100,000 recipients', (performance.now() - begun) / 1000, 5, 's');
  await client.call('POST', `/api/campaigns/${id}/cancel`);
}

/** One worker and plain nodemailer, alternating, so that both meet the same conditions. */
async function rate(signed) {
  const name = signed ? ', signed' : '';
  const [sink, raw] = [await lib.startSink(0), await lib.startRawMailer()];
  const worker = lib.startWorker({ ...env, ...workerEnv, SMTP_URL: sink.url, ...(signed ? dkimEnv : {}) });
  const [zoneId, warm] = [await zoneOf(MAILS), await zoneOf(1000)];
  await lib.workersThere(db, 1);
  const mail = sameMail((await campaign(sink, warm, 1000)).raw);
  const order = { port: sink.port, connections: CONNECTIONS, mail, dkim: signed ? dkim : null };
  await raw.send({ ...order, count: 1000 });
  const rates = { ours: [], raw: [] };
  for (let round = 0; round < 3; round++) {
    await sink.reset();
    await raw.send({ ...order, count: MAILS });
    rates.raw.push((await sink.take(MAILS)).rate);
    rates.ours.push((await campaign(sink, zoneId, MAILS)).rate);
  }
  await worker.stop();
  raw.stop();
  sink.stop();
  report(`raw nodemailer, ${CONNECTIONS} connections${name} (median of 3)`, median(rates.raw), null, 'mails/s');
  report(`one worker, ${CONNECTIONS} connections${name} (median of 3)`, median(rates.ours), null, 'mails/s');
  report(`  as a part of nodemailer’s${name}`, median(rates.ours) / median(rates.raw), 0.8, '', 'more');
}

/** The email for plain nodemailer: same parts and headers as our received one. */
function sameMail(raw) {
  if (process.env.BENCH_RAW) writeFileSync(process.env.BENCH_RAW, raw);
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const header = (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const names = ['List-Unsubscribe', 'List-Unsubscribe-Post', 'Feedback-ID', 'Content-Language'];
  return {
    from: header('From'),
    replyTo: header('Reply-To'),
    subject: header('Subject'),
    ...lib.partsOf(raw),
    headers: Object.fromEntries(names.map((name) => [name, header(name)])),
  };
}

/** Plain nodemailer with the connections of both workers shows the limit of mail server and machine. */
async function workers() {
  const [sink, raw] = [await lib.startSink(25), await lib.startRawMailer()];
  const [zoneId, warm] = [await zoneOf(MAILS), await zoneOf(1000)];
  const running = [];
  const rates = { 1: [], 2: [], raw: [] };
  const withWorkers = async (count) => {
    while (running.length < count) running.push(lib.startWorker({ ...env, ...workerEnv, SMTP_URL: sink.url }));
    while (running.length > count) await running.pop().stop();
    await lib.workersThere(db, count);
  };
  await withWorkers(1);
  const mail = sameMail((await campaign(sink, warm, 1000)).raw);
  for (let round = 0; round < 3; round++) {
    await sink.reset();
    await raw.send({ port: sink.port, connections: 2 * CONNECTIONS, mail, dkim: null, count: MAILS });
    rates.raw.push((await sink.take(MAILS)).rate);
    for (const count of [1, 2]) {
      await withWorkers(count);
      await campaign(sink, warm, 1000);
      rates[count].push((await campaign(sink, zoneId, MAILS)).rate);
    }
  }
  await withWorkers(0);
  raw.stop();
  sink.stop();
  const where = 'a server that answers after 25 ms (median of 3)';
  report(`raw nodemailer, ${2 * CONNECTIONS} connections, ${where}`, median(rates.raw), null, 'mails/s');
  report(`1 worker, ${where}`, median(rates[1]), null, 'mails/s');
  report(`2 workers, ${where}`, median(rates[2]), null, 'mails/s');
  report('  two as a part of nodemailer’s', median(rates[2]) / median(rates.raw), null, '');
  report('  two as a multiple of one', median(rates[2]) / median(rates[1]), 1.7, '', 'more');
}

async function memory() {
  const peaks = [];
  for (const count of [1000, 100_000]) {
    const sink = await lib.startSink(0);
    const zoneId = await zoneOf(count);
    const worker = lib.startWorker({ ...env, ...workerEnv, SMTP_URL: sink.url });
    await lib.workersThere(db, 1);
    const { rate } = await campaign(sink, zoneId, count);
    await worker.stop();
    sink.stop();
    peaks.push(worker.peak / MIB);
    const what = `most memory of a worker, ${count.toLocaleString('en')} recipients`;
    report(`${what} (${rate.toFixed(0)} mails/s)`, peaks.at(-1), 250, 'MiB');
  }
  report('  the second as a multiple of the first', peaks[1] / peaks[0], 1.25, '');
}

let product;
try {
  await openOwner();
  product = await startProduct({ ...env, ROLE: 'web', SMTP_URL: 'smtp://127.0.0.1:9' });
  client.url = product.url;
  if (chosen.has('prepare')) await prepare();
  if (chosen.has('rate')) await rate(false);
  if (chosen.has('dkim')) await rate(true);
  if (chosen.has('workers')) await workers();
  if (chosen.has('memory')) await memory();
} finally {
  await db?.end();
  await product?.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

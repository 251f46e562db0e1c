import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as helpers from './lib/email-helpers.mjs';
import { registerUser, root, startProduct } from './lib/product.mjs';

/**
 * `npm run bench:mail -- [part …]`: the cost of sending campaigns, compared with plain pooled nodemailer sending the
 * same email to the same mail server in the same run. Parts: `prepare` (100,000 recipients), `rate` (one worker with 20
 * connections), `dkim` (the same, signed), `workers` (one and two, with a server that responds after 25 ms), `memory`
 * (a worker with 1,000 and 100,000 recipients). `BENCH_MAILS` sets the number of emails per campaign (8000), `BENCH_RAW`
 * names a file for one received email.
 */
const PARTS = ['prepare', 'rate', 'dkim', 'workers', 'memory'];
const CONNECTIONS = 20;
const EMAILS = Number(process.env.BENCH_MAILS ?? 8000);
const MIB = 2 ** 20;

const requestedParts = process.argv.slice(2);
const unknownPart = requestedParts.find((part) => !PARTS.includes(part));
if (unknownPart) throw new Error(`Unknown part: ${unknownPart}. The parts are ${PARTS.join(', ')}.`);
const selectedParts = new Set(requestedParts.length > 0 ? requestedParts : PARTS);

const workDir = mkdtempSync(join(tmpdir(), 'zonary-bench-'));
// As root, PostgreSQL runs under another account, which needs to traverse the folder.
chmodSync(workDir, 0o711);
const { EmbeddedPostgres } = await import(`${root}dist/compiled/src/platform/database/embedded/embedded-postgres.js`);
const { connectionToUrl } = await import(`${root}dist/compiled/src/platform/database/pool/database-connection.js`);
const postgres = new EmbeddedPostgres({ dataDir: join(workDir, 'postgres'), database: 'zonary' });
const connection = await postgres.start();
const env = {
  DATA_DIR: join(workDir, 'data'),
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
  (_, index) => `<p>${paragraph.repeat(3)}<a href="https://news.example/item/${index}">Read on</a></p>`,
).join('')}<p><a href="{{zone_url}}">{{zone_name}}</a></p>`;

function reportFigure(label, value, limit, unit, better = 'less') {
  const isMet = limit === null || (better === 'less' ? value <= limit : value >= limit);
  const target = limit === null ? '' : `${better === 'less' ? 'at most' : 'at least'} ${limit} ${unit}   `;
  const verdict = limit === null ? '' : isMet ? 'ok' : 'MISSED';
  console.log(`${label.padEnd(60)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(8)} ${target}${verdict}`);
}

const median = (list) => [...list].sort((a, b) => a - b)[1];

let db;
let client;
let zoneCount = 0;

/** Registers an owner without a limit; the product runs with role `all`, because the account's code is sent by email. */
async function registerOwner() {
  const product = await startProduct(env);
  client = await registerUser(product.url, 'bench_mail');
  await product.stop();
  db = await helpers.connect(connection);
  await db.query(`insert into usage (owner_id, metric, period, allowed)
    select id, 'mails', to_char(now() at time zone 'utc', 'YYYY-MM'), null from users where username = 'bench_mail'
    on conflict (owner_id, metric, period) do update set allowed = null`);
}

async function createZone(count) {
  const { rows } = await db.query(`select id from users where username = 'bench_mail'`);
  const body = { name: `Bench ${++zoneCount}`, type: 'private' };
  await db.query(`update usage set allowed = null where owner_id = $1`, [rows[0].id]);
  const zone = await (await client.call('POST', '/api/zones', body)).json();
  await helpers.addMembers(db, zone.id, `zone${zone.id}`, count);
  return zone.id;
}

async function createDraft(zoneId) {
  const body = { subject: `News ${randomBytes(4).toString('hex')}`, htmlContent };
  return (await (await client.call('POST', `/api/zones/${zoneId}/campaigns`, body)).json()).id;
}

const sendCampaign = (id) => client.call('POST', `/api/campaigns/${id}/send`);

/**
 * Sends one campaign to all members of the zone.
 * @returns emails per second, and the content of the first email
 */
async function measureCampaign(sink, zoneId, count) {
  const id = await createDraft(zoneId);
  await sink.reset();
  await sendCampaign(id);
  return sink.waitForEmails(count);
}

async function benchPreparation() {
  const zoneId = await createZone(100_000);
  const id = await createDraft(zoneId);
  const startedAt = performance.now();
  await sendCampaign(id);
  reportFigure('preparing 100,000 recipients', (performance.now() - startedAt) / 1000, 5, 's');
  await client.call('POST', `/api/campaigns/${id}/cancel`);
}

/** Measures one worker and plain nodemailer, alternating, so that both meet the same conditions. */
async function benchRate(isSigned) {
  const name = isSigned ? ', signed' : '';
  const [sink, baseline] = [await helpers.startSmtpSink(0), await helpers.startBaselineMailer()];
  const worker = helpers.startWorker({ ...env, ...workerEnv, SMTP_URL: sink.url, ...(isSigned ? dkimEnv : {}) });
  const [zoneId, warmUpZoneId] = [await createZone(EMAILS), await createZone(1000)];
  await helpers.waitForWorkers(db, 1);
  const message = createEqualMessage((await measureCampaign(sink, warmUpZoneId, 1000)).raw);
  const batch = { port: sink.port, connections: CONNECTIONS, message, dkim: isSigned ? dkim : null };
  await baseline.send({ ...batch, count: 1000 });
  const rates = { product: [], baseline: [] };
  for (let round = 0; round < 3; round++) {
    await sink.reset();
    await baseline.send({ ...batch, count: EMAILS });
    rates.baseline.push((await sink.waitForEmails(EMAILS)).rate);
    rates.product.push((await measureCampaign(sink, zoneId, EMAILS)).rate);
  }
  await worker.stop();
  baseline.stop();
  sink.stop();
  reportFigure(
    `baseline: nodemailer, ${CONNECTIONS} connections${name} (median of 3)`,
    median(rates.baseline),
    null,
    'emails/s',
  );
  reportFigure(`one worker, ${CONNECTIONS} connections${name} (median of 3)`, median(rates.product), null, 'emails/s');
  reportFigure(`  ratio to the baseline${name}`, median(rates.product) / median(rates.baseline), 0.8, '', 'more');
}

/** Returns a message for plain nodemailer with the same parts and headers as the product's email. */
function createEqualMessage(raw) {
  if (process.env.BENCH_RAW) writeFileSync(process.env.BENCH_RAW, raw);
  const header = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const valueOf = (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(header)?.[1] ?? '';
  const names = ['List-Unsubscribe', 'List-Unsubscribe-Post', 'Feedback-ID', 'Content-Language'];
  return {
    from: valueOf('From'),
    replyTo: valueOf('Reply-To'),
    subject: valueOf('Subject'),
    ...helpers.parseParts(raw),
    headers: Object.fromEntries(names.map((name) => [name, valueOf(name)])),
  };
}

/** Measures one and two workers; plain nodemailer with the connections of both shows the limit of mail server and machine. */
async function benchWorkers() {
  const [sink, baseline] = [await helpers.startSmtpSink(25), await helpers.startBaselineMailer()];
  const [zoneId, warmUpZoneId] = [await createZone(EMAILS), await createZone(1000)];
  const runningWorkers = [];
  const rates = { 1: [], 2: [], baseline: [] };
  const setWorkerCount = async (count) => {
    while (runningWorkers.length < count)
      runningWorkers.push(helpers.startWorker({ ...env, ...workerEnv, SMTP_URL: sink.url }));
    while (runningWorkers.length > count) await runningWorkers.pop().stop();
    await helpers.waitForWorkers(db, count);
  };
  await setWorkerCount(1);
  const message = createEqualMessage((await measureCampaign(sink, warmUpZoneId, 1000)).raw);
  for (let round = 0; round < 3; round++) {
    await sink.reset();
    await baseline.send({ port: sink.port, connections: 2 * CONNECTIONS, message, dkim: null, count: EMAILS });
    rates.baseline.push((await sink.waitForEmails(EMAILS)).rate);
    for (const count of [1, 2]) {
      await setWorkerCount(count);
      await measureCampaign(sink, warmUpZoneId, 1000);
      rates[count].push((await measureCampaign(sink, zoneId, EMAILS)).rate);
    }
  }
  await setWorkerCount(0);
  baseline.stop();
  sink.stop();
  const description = 'server delay 25 ms (median of 3)';
  reportFigure(
    `baseline: nodemailer, ${2 * CONNECTIONS} connections, ${description}`,
    median(rates.baseline),
    null,
    'emails/s',
  );
  reportFigure(`1 worker, ${description}`, median(rates[1]), null, 'emails/s');
  reportFigure(`2 workers, ${description}`, median(rates[2]), null, 'emails/s');
  reportFigure('  two workers, ratio to the baseline', median(rates[2]) / median(rates.baseline), null, '');
  reportFigure('  two workers, ratio to one', median(rates[2]) / median(rates[1]), 1.7, '', 'more');
}

async function benchMemory() {
  const peaks = [];
  for (const count of [1000, 100_000]) {
    const sink = await helpers.startSmtpSink(0);
    const zoneId = await createZone(count);
    const worker = helpers.startWorker({ ...env, ...workerEnv, SMTP_URL: sink.url });
    await helpers.waitForWorkers(db, 1);
    const { rate } = await measureCampaign(sink, zoneId, count);
    await worker.stop();
    sink.stop();
    peaks.push(worker.peak / MIB);
    const label = `peak memory of a worker, ${count.toLocaleString('en')} recipients`;
    reportFigure(`${label} (${rate.toFixed(0)} emails/s)`, peaks.at(-1), 250, 'MiB');
  }
  reportFigure('  ratio of the second to the first', peaks[1] / peaks[0], 1.25, '');
}

let product;
try {
  await registerOwner();
  product = await startProduct({ ...env, ROLE: 'web', SMTP_URL: 'smtp://127.0.0.1:9' });
  client.url = product.url;
  if (selectedParts.has('prepare')) await benchPreparation();
  if (selectedParts.has('rate')) await benchRate(false);
  if (selectedParts.has('dkim')) await benchRate(true);
  if (selectedParts.has('workers')) await benchWorkers();
  if (selectedParts.has('memory')) await benchMemory();
} finally {
  await db?.end();
  await product?.stop();
  await postgres.stop();
  rmSync(workDir, { recursive: true, force: true });
}

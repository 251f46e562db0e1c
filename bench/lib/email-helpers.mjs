import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { workerEnv, workerFlags } from '../../scripts/lib/server-flags.mjs';
import { residentBytes, root } from './product.mjs';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a program of this folder in its own process, controlled by messages. */
async function forkHelper(file, args = []) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args.map(String));
  await once(child, 'spawn');
  const request = async (message) => {
    const response = once(child, 'message');
    child.send(message);
    return (await response)[0];
  };
  return { process: child, request, stop: () => child.kill() };
}

/** Starts a mail server that accepts each message after `delayMs` milliseconds. */
export async function startSmtpSink(delayMs) {
  const sink = await forkHelper('./smtp-sink.mjs', [delayMs]);
  const [{ port }] = await once(sink.process, 'message');
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    reset: () => sink.request('reset'),
    stop: sink.stop,
    /**
     * Waits for `count` emails.
     * @returns the emails per second between the first and the last, and the content of the first
     */
    async waitForEmails(count, timeoutMs = 300_000) {
      for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(50)) {
        const { count: received, first, last, raw } = await sink.request('stats');
        if (received >= count) return { rate: ((received - 1) * 1000) / (last - first), raw };
      }
      throw new Error(`The mail server did not receive ${count} emails.`);
    },
  };
}

/** Starts plain pooled nodemailer in its own process. */
export async function startBaselineMailer() {
  const helper = await forkHelper('./baseline-mailer.mjs');
  return { send: (batch) => helper.request(batch), stop: helper.stop };
}

/** Starts a worker of the built product. `peak` is its highest observed memory, in bytes. */
export function startWorker(env) {
  const worker = spawn(process.execPath, [...workerFlags, `${root}dist/backend/src/main.js`], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'error', NODE_ENV: 'production', ...workerEnv, ...env, ROLE: 'worker' },
    stdio: 'inherit',
  });
  const handle = { peak: 0 };
  const timer = setInterval(() => (handle.peak = Math.max(handle.peak, residentBytes(worker.pid))), 50);
  worker.once('exit', () => clearInterval(timer));
  handle.stop = async () => {
    clearInterval(timer);
    const exited = once(worker, 'exit');
    worker.kill('SIGTERM');
    await exited;
  };
  return handle;
}

/** Waits until `count` workers are registered. */
export async function waitForWorkers(db, count) {
  for (let attempt = 0; attempt < 400; attempt++) {
    const { rowCount } = await db.query(
      `select from instances where role = 'worker' and seen_at > now() - interval '20 s'`,
    );
    if (rowCount >= count) return;
    await sleep(50);
  }
  throw new Error('The workers did not start.');
}

export async function connect(connection) {
  const db = new pg.Client(connection);
  await db.connect();
  return db;
}

/** Inserts members with consent directly into the database. */
export async function addMembers(db, zoneId, prefix, count) {
  await db.query(
    `with created as (
       insert into users (email, first_name, last_name, email_verified, created_at, updated_at)
       select $2 || '.' || n || '@example.org', 'First ' || n, 'Last', true, now(), now()
       from generate_series(1, $3::int) n returning id, email
     ), members as (
       insert into zone_members (zone_id, user_id, email, join_method, created_at)
       select $1, id, email, 'public_link', now() from created
     ), audience_entries as (
       insert into audience (owner_id, email_key, user_id, zones)
       select z.owner_id, created.email, created.id, 1 from created join zones z on z.id = $1
     ), consents as (
       insert into email_consents (zone_id, user_id, consented_at, consent_method, consent_text)
       select $1, id, now(), 'bench', 'yes' from created
     )
     update zone_stats set members = members + $3 where zone_id = $1`,
    [zoneId, prefix, count],
  );
  await db.query('analyze');
}

/** Parses the HTML and text parts of a sent email. */
export function parseParts(raw) {
  const boundary = /boundary="([^"]+)"/.exec(raw)[1];
  const [text, html] = raw.split(`--${boundary}`).slice(1, 3).map(decodePart);
  return { text, html };
}

function decodePart(part) {
  const headerEnd = part.indexOf('\r\n\r\n');
  const body = part.slice(headerEnd + 4);
  if (/base64/i.test(part.slice(0, headerEnd))) return Buffer.from(body, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(part.slice(0, headerEnd))) return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { workerEnv, workerFlags } from '../../scripts/lib/server-flags.mjs';
import { residentBytes, root } from './product.mjs';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A program of this folder in its own process, controlled by messages. */
async function child(file, args = []) {
  const process_ = fork(fileURLToPath(new URL(file, import.meta.url)), args.map(String));
  await once(process_, 'spawn');
  const ask = async (message) => {
    const answer = once(process_, 'message');
    process_.send(message);
    return (await answer)[0];
  };
  return { process: process_, ask, stop: () => process_.kill() };
}

/** Starts a mail server that accepts each message after `delay` milliseconds. */
export async function startSink(delay) {
  const sink = await child('./smtp-sink.mjs', [delay]);
  const [{ port }] = await once(sink.process, 'message');
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    reset: () => sink.ask('reset'),
    stop: sink.stop,
    /**
     * Waits for `count` emails. Returns the emails per second between the first and the last, and the first one's
     * content.
     */
    async take(count, patience = 300_000) {
      for (const end = Date.now() + patience; Date.now() < end; await wait(50)) {
        const { count: taken, first, last, raw } = await sink.ask('figures');
        if (taken >= count) return { rate: ((taken - 1) * 1000) / (last - first), raw };
      }
      throw new Error(`The mail server did not get ${count} mails.`);
    },
  };
}

/** Starts plain pooled nodemailer in its own process. */
export async function startRawMailer() {
  const mailer = await child('./baseline-mailer.mjs');
  return { send: (order) => mailer.ask(order), stop: mailer.stop };
}

/** Starts a worker of the built product. `peak` is its highest observed memory, in bytes. */
export function startWorker(env) {
  const worker = spawn(process.execPath, [...workerFlags, `${root}dist/backend/src/main.js`], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'error', NODE_ENV: 'production', ...workerEnv, ...env, ROLE: 'worker' },
    stdio: 'inherit',
  });
  const started = { peak: 0 };
  const watch = setInterval(() => (started.peak = Math.max(started.peak, residentBytes(worker.pid))), 50);
  worker.once('exit', () => clearInterval(watch));
  started.stop = async () => {
    clearInterval(watch);
    const ended = once(worker, 'exit');
    worker.kill('SIGTERM');
    await ended;
  };
  return started;
}

/** Waits for heartbeats of that many workers. */
export async function workersThere(db, count) {
  for (let tries = 0; tries < 400; tries++) {
    const { rowCount } = await db.query(`select from delivery_workers where seen_at > now() - interval '9 s'`);
    if (rowCount >= count) return;
    await wait(50);
  }
  throw new Error('The workers do not come.');
}

export async function connect(connection) {
  const db = new pg.Client(connection);
  await db.connect();
  return db;
}

/** Inserts members with consent directly into the database. */
export async function addMembers(db, zoneId, prefix, count) {
  await db.query(
    `with made as (
       insert into users (email, first_name, last_name, email_verified, created_at, updated_at)
       select $2 || '.' || n || '@example.org', 'First ' || n, 'Last', true, now(), now()
       from generate_series(1, $3::int) n returning id, email
     ), joined as (
       insert into zone_members (zone_id, user_id, email, join_method, created_at)
       select $1, id, email, 'public_link', now() from made
     ), counted as (
       insert into audience (owner_id, email_key, user_id, zones)
       select z.owner_id, made.email, made.id, 1 from made join zones z on z.id = $1
     ), agreed as (
       insert into email_consents (zone_id, user_id, consented_at, consent_method, consent_text)
       select $1, id, now(), 'bench', 'yes' from made
     )
     update zone_stats set members = members + $3 where zone_id = $1`,
    [zoneId, prefix, count],
  );
  await db.query('analyze');
}

/** The HTML and text parts of a sent email. */
export function partsOf(raw) {
  const boundary = /boundary="([^"]+)"/.exec(raw)[1];
  const [text, html] = raw.split(`--${boundary}`).slice(1, 3).map(decode);
  return { text, html };
}

function decode(part) {
  const at = part.indexOf('\r\n\r\n');
  const body = part.slice(at + 4);
  if (/base64/i.test(part.slice(0, at))) return Buffer.from(body, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(part.slice(0, at))) return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

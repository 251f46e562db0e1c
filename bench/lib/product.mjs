import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serverEnv, serverFlags } from '../../scripts/lib/server-flags.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const main = `${root}dist/backend/src/main.js`;

/** Mailbox keys of all started products. */
const mailboxes = new Map();

/**
 * Starts the built product and resolves when it is ready.
 * @param stderr `ignore` for callers that provoke errors
 */
export async function startProduct(env, stderr = 'inherit') {
  if (!existsSync(main)) throw new Error('Build first: npm run build');
  const begun = performance.now();
  const child = spawn(process.execPath, [...serverFlags, main], {
    cwd: root,
    env: {
      ...process.env,
      ...serverEnv,
      PORT: '0',
      LOG_LEVEL: 'error',
      RATE_LIMIT: 'off',
      NODE_ENV: 'production',
      ...env,
    },
    stdio: ['ignore', 'pipe', stderr],
  });
  const url = await readyUrl(child);
  return { child, url, startMs: performance.now() - begun, stop: () => stop(child) };
}

function readyUrl(child) {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const url = /Zonary is ready: (\S+)[^]*Press Ctrl-C/.exec(printed)?.[1];
      if (!url) return;
      mailboxes.set(url, /shown at \S+?(\?key=\S+)/.exec(printed)?.[1] ?? '');
      resolve(url);
    });
    child.once('exit', () => reject(new Error(`The product ended before it was ready.\n${printed}`)));
  });
}

async function stop(child) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Resident memory of a process in bytes (Linux). */
export function residentBytes(pid) {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1];
  return Number(kib) * 1024;
}

/** CPU seconds used by a process (Linux). */
export function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** An API client that acts like a browser: keeps the session cookie and sends the origin. */
export class Client {
  #cookie;

  /** @param cookie of an existing session */
  constructor(url, cookie = '') {
    this.url = url;
    this.#cookie = cookie;
  }

  async call(method, path, body, headers = {}) {
    const json = body !== undefined && !(body instanceof ReadableStream) && !Buffer.isBuffer(body);
    const response = await fetch(this.url + path, {
      method,
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        Cookie: this.#cookie,
        ...(json ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      body: json ? JSON.stringify(body) : body,
      duplex: 'half',
    });
    const cookie = response.headers.getSetCookie()[0];
    if (cookie) this.#cookie = cookie.split(';')[0];
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  get cookie() {
    return this.#cookie;
  }
}

/** Password of every registered user. */
export const PASSWORD = 'correct horse battery';

/** Registers a user with the code from the development mailbox. */
export async function register(url, name, names = {}, email = `${name}@example.com`) {
  const client = new Client(url);
  await client.call('POST', '/api/send-verification', { email });
  const verificationCode = await codeFor(url, email);
  await client.call('POST', '/api/register', {
    email,
    password: PASSWORD,
    firstName: names.firstName ?? 'Bench',
    lastName: names.lastName ?? 'Mark',
    username: name,
    verificationCode,
  });
  return client;
}

/** The mailbox's query string of a product started here: `?key=…`. */
export const mailboxKey = (url) => mailboxes.get(url);

/** Emails to an address in a product's development mailbox. */
export async function mailsTo(url, email) {
  const all = await (await fetch(`${url}/dev/mailbox.json${mailboxes.get(url)}`)).json();
  return all.filter(({ to }) => to.includes(email));
}

/** Waits for the latest code to an address in a product's development mailbox. */
export async function codeFor(url, email) {
  for (let tries = 0; tries < 1200; tries++) {
    const [mail] = await mailsTo(url, email);
    if (mail) return /\b\d{6}\b/.exec(mail.text)[0];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('No code came.');
}

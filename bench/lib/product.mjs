import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serverEnv, serverFlags } from '../../scripts/lib/server-flags.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const MAIN_SCRIPT = `${root}dist/backend/src/main.js`;

/** Query strings of the mailbox URLs of all started products, by the product's URL. */
const mailboxQueries = new Map();

/**
 * Starts the built product and resolves when it is ready.
 * @param stderr `ignore` for callers that cause errors on purpose
 */
export async function startProduct(env, stderr = 'inherit') {
  if (!existsSync(MAIN_SCRIPT)) throw new Error('Build first: npm run build');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...serverFlags, MAIN_SCRIPT], {
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
  const url = await waitForUrl(child);
  return { child, url, startMs: performance.now() - startedAt, stop: () => stop(child) };
}

function waitForUrl(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const url = /Zonary is ready: (\S+)[^]*Press Ctrl-C/.exec(output)?.[1];
      if (!url) return;
      mailboxQueries.set(url, /shown at \S+?(\?key=\S+)/.exec(output)?.[1] ?? '');
      resolve(url);
    });
    child.once('exit', () => reject(new Error(`The product exited before it was ready.\n${output}`)));
  });
}

async function stop(child) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Resident memory of a process in bytes (Linux). */
export function residentBytes(pid) {
  const kibibytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1];
  return Number(kibibytes) * 1024;
}

/** CPU seconds used by a process (Linux). */
export function cpuSeconds(pid) {
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
    const isJson = body !== undefined && !(body instanceof ReadableStream) && !Buffer.isBuffer(body);
    const response = await fetch(this.url + path, {
      method,
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        Cookie: this.#cookie,
        ...(isJson ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      body: isJson ? JSON.stringify(body) : body,
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

/** Registers a user with the code from the development mailbox; returns their client. */
export async function registerUser(url, name, profile = {}, email = `${name}@example.com`) {
  const client = new Client(url);
  await client.call('POST', '/api/send-verification', { email });
  const verificationCode = await waitForCode(url, email);
  await client.call('POST', '/api/register', {
    email,
    password: PASSWORD,
    firstName: profile.firstName ?? 'Bench',
    lastName: profile.lastName ?? 'Mark',
    username: name,
    verificationCode,
  });
  return client;
}

/** Returns the query string of the mailbox URL of a product started here: `?key=…`. */
export const mailboxQuery = (url) => mailboxQueries.get(url);

/** Fetches the emails to an address from a product's development mailbox, newest first. */
export async function fetchEmails(url, email) {
  const emails = await (await fetch(`${url}/dev/mailbox.json${mailboxQueries.get(url)}`)).json();
  return emails.filter(({ to }) => to.includes(email));
}

/** Waits for an email with a code in a product's development mailbox; returns the code. */
export async function waitForCode(url, email) {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const [message] = await fetchEmails(url, email);
    if (message) return /\b\d{6}\b/.exec(message.text)[0];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No code for ${email} arrived.`);
}

import { PASSWORD } from './races.mjs';
import { mailTo, send } from './test-data.mjs';

let networks = 0;

/** Returns headers of a network that has sent no request yet, as set by the product's only proxy. */
export function elsewhere() {
  networks++;
  return { 'X-Forwarded-For': `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}` };
}

/** A browser: keeps cookies, and optionally sends from one network. */
export class Browser {
  #jar = new Map();

  constructor(url, network = {}) {
    this.url = url;
    this.network = network;
  }

  async ask(method, path, body, more = {}) {
    const Cookie = [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await send(this.url, method, path, { headers: { Cookie, ...this.network, ...more }, body });
    for (const line of answer.cookies ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (value) this.#jar.set(name, value);
      else this.#jar.delete(name);
    }
    return answer;
  }

  get session() {
    return this.#jar.get('zonary_session');
  }

  set session(id) {
    this.#jar.set('zonary_session', id);
  }
}

/** The fields of the registration form. */
export const formOf = (email, username, verificationCode) => ({
  ...{ email, password: PASSWORD, firstName: 'Ada', lastName: 'Test', username, verificationCode },
});

/**
 * Registers a user by email; returns them with their browser.
 * @throws Error if it fails, because later attempts would test nothing
 */
export async function registered(url, dataDir, name) {
  const browser = new Browser(url, elsewhere());
  const email = `${name}@example.com`;
  await browser.ask('POST', '/api/send-verification', { email });
  const [code] = await mailTo(dataDir, email, /\b\d{6}\b/);
  const made = await browser.ask('POST', '/api/register', formOf(email, name, code));
  if (made.status !== 201) throw new Error(`Registering ${name}: ${made.status} ${made.text.slice(0, 200)}`);
  return { id: JSON.parse(made.text).id, email, browser };
}

/**
 * Signs in.
 * @returns the duration in milliseconds, or the response if it failed
 */
export async function signIn(browser, email) {
  const { status, ms, text } = await browser.ask('POST', '/api/login', { email, password: PASSWORD });
  return status === 200 ? { ms } : { refused: `${status} ${text.slice(0, 120)}` };
}

/**
 * Signs in repeatedly, each time from a new network, until stopped.
 * @returns a function that stops it and returns the durations
 */
export function signingIn({ browser, email }, pause) {
  const [times, refused] = [[], []];
  let goesOn = true;
  const work = (async () => {
    while (goesOn) {
      browser.network = elsewhere();
      const { ms, refused: why } = await signIn(browser, email);
      if (why) refused.push(why);
      else times.push(ms);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  })();
  return async () => {
    goesOn = false;
    await work;
    times.sort((a, b) => a - b);
    return { count: times.length, median: times[times.length >> 1] ?? 0, worst: times.at(-1) ?? 0, refused };
  };
}

/**
 * Describes the durations of sign-ins; adds a finding if one was refused or slower than `most`, or if there were none.
 */
export function judgeSignIns(part, { count, median, worst, refused }, most, findings) {
  if (count === 0) findings.add(part, 'did not try: nobody signed in meanwhile');
  for (const why of new Set(refused)) findings.add(part, `somebody could not sign in meanwhile: ${why}`);
  if (worst > most) findings.add(part, `signing in took ${Math.round(worst)} ms meanwhile`);
  const failed = refused.length > 0 ? `, ${refused.length} refused` : '';
  return `${count} sign-ins meanwhile: median ${Math.round(median)} ms, worst ${Math.round(worst)} ms${failed}`;
}

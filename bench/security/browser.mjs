import { PASSWORD } from './races.mjs';
import { waitForEmail, send } from './test-data.mjs';

let networkCount = 0;

/** Returns headers of a network that has sent no request yet, as set by the product's only proxy. */
export function newNetworkHeaders() {
  networkCount++;
  return { 'X-Forwarded-For': `10.${(networkCount >> 16) & 255}.${(networkCount >> 8) & 255}.${networkCount & 255}` };
}

/** A browser: keeps cookies, and optionally sends from one network. */
export class Browser {
  #cookies = new Map();

  constructor(url, network = {}) {
    this.url = url;
    this.network = network;
  }

  async request(method, path, body, extraHeaders = {}) {
    const Cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await send(this.url, method, path, {
      headers: { Cookie, ...this.network, ...extraHeaders },
      body,
    });
    for (const line of response.cookies ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (value) this.#cookies.set(name, value);
      else this.#cookies.delete(name);
    }
    return response;
  }

  get session() {
    return this.#cookies.get('zonary_session');
  }

  set session(id) {
    this.#cookies.set('zonary_session', id);
  }
}

/** Returns the fields of the registration form. */
export const registrationForm = (email, username, verificationCode) => ({
  email,
  password: PASSWORD,
  firstName: 'Ada',
  lastName: 'Test',
  username,
  verificationCode,
});

/**
 * Registers a user by email.
 * @returns the user, with the browser in which they are signed in
 * @throws Error if it fails, because the part would test nothing
 */
export async function registerUser(url, dataDir, name) {
  const browser = new Browser(url, newNetworkHeaders());
  const email = `${name}@example.com`;
  await browser.request('POST', '/api/send-verification', { email });
  const [code] = await waitForEmail(dataDir, email, /\b\d{6}\b/);
  const response = await browser.request('POST', '/api/register', registrationForm(email, name, code));
  if (response.status !== 201)
    throw new Error(`Registering ${name}: ${response.status} ${response.text.slice(0, 200)}`);
  return { id: JSON.parse(response.text).id, email, browser };
}

/**
 * Signs in.
 * @returns the duration in milliseconds, or the error if it failed
 */
export async function signIn(browser, email) {
  const { status, ms, text } = await browser.request('POST', '/api/login', { email, password: PASSWORD });
  return status === 200 ? { ms } : { error: `${status} ${text.slice(0, 120)}` };
}

/**
 * Signs in repeatedly, each time from a new network, until stopped.
 * @returns a function that stops it and returns the durations
 */
export function startRepeatedSignIns({ browser, email }, pauseMs) {
  const [durations, errors] = [[], []];
  let isRunning = true;
  const loop = (async () => {
    while (isRunning) {
      browser.network = newNetworkHeaders();
      const { ms, error } = await signIn(browser, email);
      if (error) errors.push(error);
      else durations.push(ms);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  return async () => {
    isRunning = false;
    await loop;
    durations.sort((a, b) => a - b);
    return {
      count: durations.length,
      median: durations[durations.length >> 1] ?? 0,
      worst: durations.at(-1) ?? 0,
      errors,
    };
  };
}

/**
 * Describes the durations of sign-ins; adds a finding if one failed or took longer than the limit, or if there were
 * none.
 */
export function reportSignIns(part, { count, median, worst, errors }, limitMs, findings) {
  if (count === 0) findings.add(part, 'precondition failed: nobody signed in meanwhile');
  for (const error of new Set(errors)) findings.add(part, `a sign-in failed meanwhile: ${error}`);
  if (worst > limitMs) findings.add(part, `a sign-in took ${Math.round(worst)} ms meanwhile`);
  const failed = errors.length > 0 ? `, ${errors.length} failed` : '';
  return `${count} sign-ins meanwhile: median ${Math.round(median)} ms, worst ${Math.round(worst)} ms${failed}`;
}

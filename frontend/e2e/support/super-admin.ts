import type { Browser, Page } from '@playwright/test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mailboxPath, type Mail } from './mailbox.ts';
import { expect, test } from './test.ts';

/** The super admin of the product that the journeys start. */
export const superAdmin = {
  firstName: 'Selin',
  lastName: 'Er',
  username: 'super_admin',
  email: 'super-admin@demo.example',
  password: 'correct horse battery',
};

/** Makes the account of the super admin in a product that has just been started with its address. */
export async function registerSuperAdmin(url: string): Promise<void> {
  await post(url, '/api/send-verification', { email: superAdmin.email });
  const verificationCode = await codeFor(url, superAdmin.email);
  await post(url, '/api/register', { ...superAdmin, verificationCode });
}

/** The zone that the premium service opens; it is the super admin's. */
export const premiumZone = 'Premium library';

/** Makes the zone of the premium service, the first one of the product: so the settings know its id beforehand. */
export async function openPremiumZone(url: string): Promise<void> {
  const { email, password } = superAdmin;
  const headers = { 'content-type': 'application/json', origin: url };
  const signedIn = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0]!)
    .join('; ');
  const body = JSON.stringify({ name: premiumZone, type: 'private' });
  const made = await fetch(`${url}/api/zones`, { method: 'POST', headers: { ...headers, cookie }, body });
  if (!made.ok) throw new Error(`The zone of the premium service was answered ${made.status}: ${await made.text()}`);
}

/** Signs the browser of `page` in as the super admin, without the page. */
export async function signInAsSuperAdmin(page: Page): Promise<void> {
  const { email, password } = superAdmin;
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const answer = await page.request.post('/api/login', { headers, data: { email, password } });
  expect(answer.status(), 'the super admin can sign in').toBe(200);
}

/** Gives the person signed in to `page` a larger plan, as a super admin does. */
export async function grantPlan(browser: Browser, page: Page, plan: string): Promise<void> {
  const { id } = (await (await page.request.get('/api/user')).json()) as { id: number };
  const baseURL = test.info().project.use.baseURL!;
  const context = await browser.newContext({ baseURL });
  const admin = await context.newPage();
  await signInAsSuperAdmin(admin);
  const headers = { origin: new URL(baseURL).origin };
  const granted = await admin.request.patch(`/api/admin/users/${id}/plan`, { headers, data: { plan } });
  expect(granted.status(), 'the plan is granted').toBe(200);
  await context.close();
}

async function post(url: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', origin: url };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}

async function codeFor(url: string, address: string): Promise<string> {
  const latest = Date.now() + 30_000;
  while (Date.now() < latest) {
    const mails = (await (await fetch(url + mailboxPath())).json()) as Mail[];
    const code = /\b(\d{6})\b/.exec(mails.find(({ to }) => to.includes(address))?.text ?? '')?.[1];
    if (code) return code;
    await sleep(200);
  }
  throw new Error(`No code came to ${address}.`);
}

import type { Browser, Page } from '@playwright/test';
import { Mailbox } from './mailbox.ts';
import { expect, test } from './test.ts';

/** The super admin of the tested product. */
export const superAdmin = {
  firstName: 'Selin',
  lastName: 'Er',
  username: 'super_admin',
  email: 'super-admin@demo.example',
  password: 'correct horse battery',
};

/** Registers the super admin in a new installation that was started with their address. */
export async function registerSuperAdmin(url: string): Promise<void> {
  await postJson(url, '/api/send-verification', { email: superAdmin.email });
  const verificationCode = await new Mailbox().waitForCode(superAdmin.email);
  await postJson(url, '/api/register', { ...superAdmin, verificationCode });
}

/** The zone the premium service gives access to; it belongs to the super admin. */
export const premiumZoneName = 'Premium library';

/** Creates the premium service's zone as the first of the installation, so that the configuration knows its id. */
export async function createPremiumZone(url: string): Promise<void> {
  const { email, password } = superAdmin;
  const headers = { 'content-type': 'application/json', origin: url };
  const loginResponse = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  });
  const cookie = loginResponse.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]!)
    .join('; ');
  const body = JSON.stringify({ name: premiumZoneName, type: 'private' });
  const response = await fetch(`${url}/api/zones`, { method: 'POST', headers: { ...headers, cookie }, body });
  if (!response.ok)
    throw new Error(`The zone of the premium service was answered ${response.status}: ${await response.text()}`);
}

/** Signs the browser of `page` in as the super admin, by API. */
export async function signInAsSuperAdmin(page: Page): Promise<void> {
  const { email, password } = superAdmin;
  const headers = { origin: new URL(test.info().project.use.baseURL!).origin };
  const response = await page.request.post('/api/login', { headers, data: { email, password } });
  expect(response.status(), 'the super admin can sign in').toBe(200);
}

/** Grants the user signed in to `page` a larger plan, as a super admin does. */
export async function grantPlan(browser: Browser, page: Page, plan: string): Promise<void> {
  const { id } = (await (await page.request.get('/api/user')).json()) as { id: number };
  const baseURL = test.info().project.use.baseURL!;
  const context = await browser.newContext({ baseURL });
  const adminPage = await context.newPage();
  await signInAsSuperAdmin(adminPage);
  const headers = { origin: new URL(baseURL).origin };
  const response = await adminPage.request.patch(`/api/admin/users/${id}/plan`, { headers, data: { plan } });
  expect(response.status(), 'the plan is granted').toBe(200);
  await context.close();
}

async function postJson(url: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', origin: url };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
}

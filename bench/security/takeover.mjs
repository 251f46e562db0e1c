import { Browser } from './browser.mjs';
import { createResource, waitForEmail, send } from './test-data.mjs';

const NEW_PASSWORD = 'violet harbour 71';

/** Creates a member who joined the public zone by its link and has no password. */
async function createMember(url, dataDir, { zone }, email) {
  const memberBrowser = new Browser(url);
  await memberBrowser.request('POST', `/api/public-zones/${zone.publicLink}/join`, { email, emailConsent: true });
  const [, query] = await waitForEmail(dataDir, email, /\/verify-email\?(\S+)/);
  const link = new URLSearchParams(query);
  await memberBrowser.request('POST', '/api/verify-email', { token: link.get('token'), join: link.get('join') });
  return memberBrowser;
}

/**
 * Invites the address to another zone.
 * @returns the token and the temporary password of the email
 */
async function invite(url, dataDir, { owner }, email) {
  const { id } = await createResource(url, owner.headers, '/api/zones', { name: 'Forwarded', type: 'private' });
  await send(url, 'POST', `/api/zones/${id}/invite`, { headers: owner.headers, body: { emails: [email] } });
  const [, token] = await waitForEmail(dataDir, email, /\/invite\/([\w-]+)/);
  const [password] = await waitForEmail(dataDir, email, /\b[a-z0-9]{4}(?:-[a-z0-9]{4}){4}\b/);
  return { token, password };
}

/** The holder of a member’s forwarded invitation may read with it, but must not become the owner of the account. */
export async function testTakeover(url, dataDir, testData, findings) {
  const email = 'attack_member_without_password@example.com';
  const memberBrowser = await createMember(url, dataDir, testData, email);
  const { token, password } = await invite(url, dataDir, testData, email);
  const profile = { firstName: 'Eve', lastName: 'Taker', username: 'attack_eve', newPassword: NEW_PASSWORD };
  const results = [];
  const expectStatus = (what, response, status) => {
    findings.count('takeover', response);
    results.push(`${what} ${response.status}`);
    if (response.status !== status)
      findings.add('takeover', `${what}: ${response.status} ${response.text.slice(0, 120)}`);
  };
  const linkBrowser = new Browser(url);
  const body = { token, email, emailConsent: true, ...profile };
  expectStatus('invitation with a profile', await linkBrowser.request('POST', '/api/accept-invite', body), 403);
  expectStatus(
    'the same with its password',
    await linkBrowser.request('POST', '/api/accept-invite', { ...body, password }),
    403,
  );
  expectStatus(
    'invitation',
    await linkBrowser.request('POST', '/api/accept-invite', { token, email, emailConsent: true }),
    200,
  );
  const passwordBrowser = new Browser(url);
  expectStatus('temporary password', await passwordBrowser.request('POST', '/api/login', { email, password }), 200);
  for (const [method, browser] of Object.entries({ link: linkBrowser, password: passwordBrowser })) {
    const newPassword = { email, newPassword: NEW_PASSWORD };
    expectStatus(`${method}: new password`, await browser.request('POST', '/api/change-password', newPassword), 403);
    expectStatus(
      `${method}: profile`,
      await browser.request('POST', '/api/complete-profile', { email, ...profile }),
      403,
    );
    expectStatus(
      `${method}: address`,
      await browser.request('POST', '/api/user/email', { email: 'attack_eve@example.com' }),
      403,
    );
    expectStatus(`${method}: export`, await browser.request('GET', '/api/user/export'), 403);
    expectStatus(`${method}: deletion`, await browser.request('DELETE', '/api/user', {}), 403);
  }
  expectStatus('the member’s own session', await memberBrowser.request('GET', '/api/user'), 200);
  console.log(`takeover: ${results.join(', ')}`);
}

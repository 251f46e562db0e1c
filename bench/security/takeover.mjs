import { Browser } from './browser.mjs';
import { create, mailTo, send } from './test-data.mjs';

const NEW_PASSWORD = 'violet harbour 71';

/** A reader who joined the public zone by its link and has no password. */
async function reader(url, dataDir, { zone }, email) {
  const own = new Browser(url);
  await own.ask('POST', `/api/public-zones/${zone.publicLink}/join`, { email, emailConsent: true });
  const [, query] = await mailTo(dataDir, email, /\/verify-email\?(\S+)/);
  const link = new URLSearchParams(query);
  await own.ask('POST', '/api/verify-email', { token: link.get('token'), join: link.get('join') });
  return own;
}

/**
 * Invites the address to another zone.
 * @returns the email's content
 */
async function invite(url, dataDir, { owner }, email) {
  const { id } = await create(url, owner.headers, '/api/zones', { name: 'Forwarded', type: 'private' });
  await send(url, 'POST', `/api/zones/${id}/invite`, { headers: owner.headers, body: { emails: [email] } });
  const [, token] = await mailTo(dataDir, email, /\/invite\/([\w-]+)/);
  const [password] = await mailTo(dataDir, email, /\b[a-z0-9]{4}(?:-[a-z0-9]{4}){4}\b/);
  return { token, password };
}

/** The holder of a reader's forwarded invitation may read with it, but must not become the owner of the account. */
export async function takeover(url, dataDir, scene, findings) {
  const email = 'attack_reader@example.com';
  const own = await reader(url, dataDir, scene, email);
  const { token, password } = await invite(url, dataDir, scene, email);
  const names = { firstName: 'Eve', lastName: 'Taker', username: 'attack_eve', newPassword: NEW_PASSWORD };
  const told = [];
  const expect = (what, answer, status) => {
    findings.count('takeover', answer);
    told.push(`${what} ${answer.status}`);
    if (answer.status !== status) findings.add('takeover', `${what}: ${answer.status} ${answer.text.slice(0, 120)}`);
  };
  const stranger = new Browser(url);
  const whole = { token, email, emailConsent: true, ...names };
  expect('invitation with a profile', await stranger.ask('POST', '/api/accept-invite', whole), 403);
  expect('the same with its password', await stranger.ask('POST', '/api/accept-invite', { ...whole, password }), 403);
  expect('invitation', await stranger.ask('POST', '/api/accept-invite', { token, email, emailConsent: true }), 200);
  const byPassword = new Browser(url);
  expect('temporary password', await byPassword.ask('POST', '/api/login', { email, password }), 200);
  for (const [how, browser] of Object.entries({ link: stranger, password: byPassword })) {
    const change = { email, newPassword: NEW_PASSWORD };
    expect(`${how}: new password`, await browser.ask('POST', '/api/change-password', change), 403);
    expect(`${how}: profile`, await browser.ask('POST', '/api/complete-profile', { email, ...names }), 403);
    expect(`${how}: address`, await browser.ask('POST', '/api/user/email', { email: 'attack_eve@example.com' }), 403);
    expect(`${how}: export`, await browser.ask('GET', '/api/user/export'), 403);
    expect(`${how}: deletion`, await browser.ask('DELETE', '/api/user', {}), 403);
  }
  expect('the reader’s own session', await own.ask('GET', '/api/user'), 200);
  console.log(`takeover: ${told.join(', ')}`);
}

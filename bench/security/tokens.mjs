import { Browser, elsewhere, registered } from './browser.mjs';
import { operationsOf } from './findings.mjs';
import { PASSWORD } from './races.mjs';
import { mailTo, send, tokenOf } from './test-data.mjs';

const NEW_PASSWORD = 'copper meadow 58 sundial';

/** Actions that must revoke a token, as users perform them. */
const ENDINGS = {
  'a reset': async ({ url, dataDir, email }) => {
    const stranger = new Browser(url, elsewhere());
    await stranger.ask('POST', '/api/forgot-password', { email });
    const [, token] = await mailTo(dataDir, email, /reset-password\?token=([\w-]+)/);
    return stranger.ask('POST', '/api/reset-password', { token, password: NEW_PASSWORD });
  },
  'a new password': ({ browser, email }) =>
    browser.ask('POST', '/api/change-password', { email, currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
  'signing out everywhere': ({ browser }) => browser.ask('DELETE', '/api/user/sessions'),
  'an admin who ends sessions': ({ url, id, superAdmin }) =>
    send(url, 'POST', `/api/admin/users/${id}/end-sessions`, { headers: superAdmin.headers }),
  'a deactivation': ({ url, id, superAdmin }) =>
    send(url, 'POST', `/api/admin/users/${id}/deactivate`, { headers: superAdmin.headers }),
};

/** A token works, is revoked by an action, and no longer works. */
async function endings(url, dataDir, superAdmin, findings) {
  const told = [];
  for (const [at, [what, end]] of Object.entries(ENDINGS).entries()) {
    const { id, email, browser } = await registered(url, dataDir, `attack_token_${at}`);
    const form = { name: 'A year', scope: 'write', expiresInDays: 365 };
    const made = findings.control('tokens', 'making a token', await browser.ask('POST', '/api/user/tokens', form), 201);
    const headers = { Authorization: `Bearer ${JSON.parse(made.text).token}` };
    const use = (name) => send(url, 'POST', '/api/zones', { headers, body: { name, type: 'private' } });
    findings.control('tokens', `the token before ${what}`, await use('Before'), 201);
    const ended = await end({ url, dataDir, id, email, browser, superAdmin });
    if (ended.status >= 300) findings.add('tokens', `did not try: ${what} was answered ${ended.status} ${ended.text}`);
    const answer = await use('After');
    findings.count('tokens', answer);
    const read = await send(url, 'GET', '/api/zones', { headers });
    findings.count('tokens', read);
    if (answer.status !== 401 || read.status !== 401)
      findings.add('tokens', `${answer.status} and ${read.status} to a token after ${what}`);
    told.push(`${answer.status} after ${what}`);
  }
  return told.join(', ');
}

/** A read-only token at every mutating route, except webhooks, which are authenticated by signature. */
async function reading(url, pool, contract, { owner, zone }, findings) {
  const headers = await tokenOf(pool, owner.id, 'read');
  findings.control('tokens', 'reading with the token', await send(url, 'GET', '/api/zones', { headers }), 200);
  const unsafe = operationsOf(contract).filter(
    ({ method, path }) => !['GET', 'HEAD', 'OPTIONS'].includes(method) && !path.startsWith('/api/webhooks/'),
  );
  for (const { method, path, operation } of unsafe) {
    const address = path.replace('{publicLink}', zone.publicLink).replace(/\{\w+\}/g, '999999999');
    const [type] = Object.keys(operation.requestBody?.content ?? {});
    const body = type === 'application/json' ? { body: {} } : {};
    const typed = type && !body.body ? { 'Content-Type': type } : {};
    const answer = await send(url, method, address, { headers: { ...headers, ...elsewhere(), ...typed }, ...body });
    findings.count('tokens, reading only', answer);
    if (answer.status !== 403)
      findings.add('tokens', `${answer.status} to a token that only reads at ${method} ${path}`);
  }
  const body = { email: owner.email, emailConsent: true };
  const join = await send(url, 'POST', `/api/public-zones/${zone.publicLink}/join`, { headers, body });
  findings.count('tokens, reading only', join);
  if (join.status !== 403) findings.add('tokens', `a token that only reads joins: ${join.status}`);
}

/** Tokens that outlive their revocation or exceed their scope. */
export async function tokens(url, pool, dataDir, contract, scene, findings) {
  const told = await endings(url, dataDir, scene.superAdmin, findings);
  await reading(url, pool, contract, scene, findings);
  console.log(
    `tokens: a token for a year got ${told}; one that only reads: ${findings.statuses('tokens, reading only')}`,
  );
}

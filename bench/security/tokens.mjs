import { Browser, newNetworkHeaders, registerUser } from './browser.mjs';
import { operationsOf } from './findings.mjs';
import { PASSWORD } from './races.mjs';
import { waitForEmail, send, createApiToken } from './test-data.mjs';

const NEW_PASSWORD = 'copper meadow 58 sundial';

/** Actions that must revoke a token, performed as users do. */
const REVOCATIONS = {
  'a password reset': async ({ url, dataDir, email }) => {
    const otherBrowser = new Browser(url, newNetworkHeaders());
    await otherBrowser.request('POST', '/api/forgot-password', { email });
    const [, token] = await waitForEmail(dataDir, email, /reset-password\?token=([\w-]+)/);
    return otherBrowser.request('POST', '/api/reset-password', { token, password: NEW_PASSWORD });
  },
  'a new password': ({ browser, email }) =>
    browser.request('POST', '/api/change-password', { email, currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
  'signing out everywhere': ({ browser }) => browser.request('DELETE', '/api/user/sessions'),
  'an admin ending the sessions': ({ url, id, superAdmin }) =>
    send(url, 'POST', `/api/admin/users/${id}/end-sessions`, { headers: superAdmin.headers }),
  'a deactivation by an admin': ({ url, id, superAdmin }) =>
    send(url, 'POST', `/api/admin/users/${id}/deactivate`, { headers: superAdmin.headers }),
};

/** Checks for each action that a token works before it and no longer works after it. */
async function testRevocation(url, dataDir, superAdmin, findings) {
  const results = [];
  for (const [index, [action, revoke]] of Object.entries(REVOCATIONS).entries()) {
    const { id, email, browser } = await registerUser(url, dataDir, `attack_token_${index}`);
    const form = { name: 'A year', scope: 'write', expiresInDays: 365 };
    const created = findings.checkPrecondition(
      'tokens',
      'creating a token',
      await browser.request('POST', '/api/user/tokens', form),
      201,
    );
    const headers = { Authorization: `Bearer ${JSON.parse(created.text).token}` };
    const createZone = (name) => send(url, 'POST', '/api/zones', { headers, body: { name, type: 'private' } });
    findings.checkPrecondition('tokens', `the token before ${action}`, await createZone('Before'), 201);
    const revocation = await revoke({ url, dataDir, id, email, browser, superAdmin });
    if (revocation.status >= 300)
      findings.add('tokens', `precondition failed: ${action}: ${revocation.status} ${revocation.text}`);
    const response = await createZone('After');
    findings.count('tokens', response);
    const read = await send(url, 'GET', '/api/zones', { headers });
    findings.count('tokens', read);
    if (response.status !== 401 || read.status !== 401)
      findings.add('tokens', `${response.status} (writing) and ${read.status} (reading) with a token after ${action}`);
    results.push(`${response.status} after ${action}`);
  }
  return results.join(', ');
}

/** Sends a read-only token to every mutating route, except webhooks, which are authenticated by signature. */
async function testReadOnlyToken(url, pool, contract, { owner, zone }, findings) {
  const headers = await createApiToken(pool, owner.id, 'read');
  findings.checkPrecondition(
    'tokens',
    'reading with the token',
    await send(url, 'GET', '/api/zones', { headers }),
    200,
  );
  const mutating = operationsOf(contract).filter(
    ({ method, path }) => !['GET', 'HEAD', 'OPTIONS'].includes(method) && !path.startsWith('/api/webhooks/'),
  );
  for (const { method, path, operation } of mutating) {
    const address = path.replace('{publicLink}', zone.publicLink).replace(/\{\w+\}/g, '999999999');
    const [mediaType] = Object.keys(operation.requestBody?.content ?? {});
    const body = mediaType === 'application/json' ? { body: {} } : {};
    const contentType = mediaType && !body.body ? { 'Content-Type': mediaType } : {};
    const response = await send(url, method, address, {
      headers: { ...headers, ...newNetworkHeaders(), ...contentType },
      ...body,
    });
    findings.count('tokens, read-only', response);
    if (response.status !== 403)
      findings.add('tokens', `${response.status} with a read-only token at ${method} ${path}`);
  }
  const body = { email: owner.email, emailConsent: true };
  const join = await send(url, 'POST', `/api/public-zones/${zone.publicLink}/join`, { headers, body });
  findings.count('tokens, read-only', join);
  if (join.status !== 403) findings.add('tokens', `a read-only token can join a zone: ${join.status}`);
}

/** Checks that tokens don't outlive their revocation or exceed their scope. */
export async function testTokens(url, pool, dataDir, contract, testData, findings) {
  const results = await testRevocation(url, dataDir, testData.superAdmin, findings);
  await testReadOnlyToken(url, pool, contract, testData, findings);
  console.log(
    `tokens: a token valid for a year got ${results}; a read-only token got ${findings.formatStatuses('tokens, read-only')}`,
  );
}

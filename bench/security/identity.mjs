import { Secret, TOTP } from 'otpauth';
import { Browser } from './browser.mjs';
import { PASSWORD, createRaceRunner } from './races.mjs';
import { digestOf, waitForEmail, send } from './test-data.mjs';

const PERIOD_MS = 30_000;
const WRONG_CODE = '000000';

/** Registers a user with a password and an authenticator app through the API. */
async function registerWithAuthenticator(url, dataDir, name) {
  const browser = new Browser(url);
  const email = `${name}@example.com`;
  await browser.request('POST', '/api/send-verification', { email });
  const [verificationCode] = await waitForEmail(dataDir, email, /\b\d{6}\b/);
  const form = { email, password: PASSWORD, firstName: 'Ada', lastName: 'Test', username: name, verificationCode };
  const { id } = JSON.parse((await browser.request('POST', '/api/register', form)).text);
  const { secret } = JSON.parse((await browser.request('POST', '/api/user/factors', {})).text);
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_MS / 1000 });
  const verified = await browser.request('POST', '/api/user/factors/verify', { code: totp.generate() });
  const { recoveryCodes } = JSON.parse(verified.text);
  return { id, email, browser, totp, recoveryCodes };
}

/** Returns a browser after the password step of a sign-in. */
async function startSignIn(url, { email }) {
  const browser = new Browser(url);
  await browser.request('POST', '/api/login', { email, password: PASSWORD });
  return browser;
}

/** Waits for the next 30-second period, of which no code has been used. */
const waitForNextPeriod = () =>
  new Promise((resolve) => setTimeout(resolve, PERIOD_MS - (Date.now() % PERIOD_MS) + 100));

/** Tests second factors, passkeys and reauthentication: replays, races, other users' credentials, and guesses. */
export async function testIdentity(url, pool, dataDir, testData, findings) {
  const runRace = createRaceRunner(findings);
  const user = await registerWithAuthenticator(url, dataDir, 'attack_ada');
  const expectStatus = (what, response, status) => {
    findings.count('identity', response);
    if (response.status !== status)
      findings.add('identity', `${what}: ${response.status} ${response.text.slice(0, 120)}`);
  };
  await testSecondFactors(url, user, runRace, expectStatus);
  await testReauthentication(url, pool, user, testData, expectStatus);
  await testCredentials(url, user, testData, expectStatus);
}

async function testSecondFactors(url, user, runRace, expectStatus) {
  const browsers = [];
  while (browsers.length < 50) browsers.push(await startSignIn(url, user));
  const otherBrowser = await startSignIn(url, user);
  expectStatus('an incomplete sign-in', await otherBrowser.request('GET', '/api/user'), 401);
  await runRace('a recovery code', 1, (index) =>
    browsers[index].request('POST', '/api/login/factor', { recoveryCode: user.recoveryCodes[0] }),
  );
  expectStatus(
    'a used recovery code',
    await otherBrowser.request('POST', '/api/login/factor', { recoveryCode: user.recoveryCodes[0] }),
    400,
  );
  await waitForNextPeriod();
  const code = user.totp.generate();
  const codeBrowsers = [];
  while (codeBrowsers.length < 50) codeBrowsers.push(await startSignIn(url, user));
  await runRace('a code of the authenticator app', 1, (index) =>
    codeBrowsers[index].request('POST', '/api/login/factor', { code }),
  );
  expectStatus(
    'a replay of the same code within its period',
    await otherBrowser.request('POST', '/api/login/factor', { code }),
    400,
  );
  expectStatus(
    'an empty recovery code',
    await otherBrowser.request('POST', '/api/login/factor', { recoveryCode: ' - ' }),
    400,
  );
  expectStatus(
    'a wrong code and a wrong recovery code',
    await otherBrowser.request('POST', '/api/login/factor', { code: WRONG_CODE, recoveryCode: 'x' }),
    400,
  );
}

async function testReauthentication(url, pool, user, testData, expectStatus) {
  const expireReauthentication = () =>
    pool.query('update sessions set confirmed_at = null where user_id = $1', [user.id]);
  const otherBrowser = await startSignIn(url, user);
  const plantedSession = 'a'.repeat(43);
  otherBrowser.session = plantedSession;
  await otherBrowser.request('POST', '/api/login/factor', { recoveryCode: user.recoveryCodes[1] });
  expectStatus('session fixation', await browserWithSession(url, plantedSession).request('GET', '/api/user'), 401);
  expectStatus('the session issued instead', await otherBrowser.request('GET', '/api/user'), 200);
  await expireReauthentication();
  const token = { name: 'Attack', scope: 'read', expiresInDays: 1 };
  expectStatus(
    'creating a token without reauthentication',
    await otherBrowser.request('POST', '/api/user/tokens', token),
    403,
  );
  expectStatus(
    'reauthentication with a wrong password',
    await otherBrowser.request('POST', '/api/user/confirm', { password: 'not it' }),
    400,
  );
  expectStatus(
    'reauthentication',
    await user.browser.request('POST', '/api/user/confirm', { password: PASSWORD }),
    200,
  );
  expectStatus(
    'creating a token after reauthentication in another session',
    await otherBrowser.request('POST', '/api/user/tokens', token),
    403,
  );
  expectStatus(
    'creating a token after reauthentication in this session',
    await user.browser.request('POST', '/api/user/tokens', token),
    201,
  );
  const { rows } = await pool.query('select sid from sessions where user_id = $1 limit 1', [user.id]);
  expectStatus(
    'a session digest as the session id',
    await browserWithSession(url, rows[0].sid).request('GET', '/api/user'),
    401,
  );
  expectStatus(
    'reauthentication with a wrong code',
    await otherBrowser.request('POST', '/api/user/confirm', { code: WRONG_CODE }),
    400,
  );
  for (const [method, path, body] of [
    ['POST', '/api/user/factors', {}],
    ['DELETE', '/api/user/factors', undefined],
    ['POST', '/api/user/factors/recovery-codes', {}],
    ['POST', '/api/user/passkeys/options', {}],
    ['GET', '/api/user/export', undefined],
  ])
    expectStatus(`${method} ${path} without reauthentication`, await otherBrowser.request(method, path, body), 403);
  expectStatus(
    'reading the second factors with a token',
    await send(url, 'GET', '/api/user/factors', { headers: testData.token }),
    403,
  );
  const forgedHeaders = {
    'X-Forwarded-For': '127.0.0.1',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'https',
  };
  const reset = await new Browser(url).request('POST', '/api/forgot-password', { email: user.email }, forgedHeaders);
  expectStatus('a password reset with forged headers', reset, 200);
}

function browserWithSession(url, id) {
  const browser = new Browser(url);
  browser.session = id;
  return browser;
}

async function testCredentials(url, user, { ids }, expectStatus) {
  const otherBrowser = await startSignIn(url, user);
  await otherBrowser.request('POST', '/api/login/factor', { recoveryCode: user.recoveryCodes[2] });
  expectStatus(
    'deleting another user’s passkey',
    await otherBrowser.request('DELETE', `/api/user/passkeys/${ids.passkeys}`),
    404,
  );
  expectStatus(
    'renaming another user’s passkey',
    await otherBrowser.request('PATCH', `/api/user/passkeys/${ids.passkeys}`, { name: 'Mine' }),
    404,
  );
  expectStatus(
    'disconnecting another user’s identity',
    await otherBrowser.request('DELETE', `/api/user/identities/${ids.identities}`),
    404,
  );
  expectStatus(
    'deleting another user’s token',
    await otherBrowser.request('DELETE', `/api/user/tokens/${ids.tokens}`),
    404,
  );
  const browser = new Browser(url);
  const { challenge } = JSON.parse((await browser.request('POST', '/api/login/passkey/options', {})).text);
  const clientDataJSON = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin: url })).toString(
    'base64url',
  );
  const bytes = Buffer.from(digestOf('nothing')).toString('base64url');
  const assertion = (id) => ({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData: bytes, signature: bytes },
    },
  });
  for (const id of ['YXR0YWNr', 'bm9ib2R5'])
    expectStatus('a forged passkey assertion', await browser.request('POST', '/api/login/passkey', assertion(id)), 400);
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', '/%0d%0aX: y\r\n'])
    expectStatus(
      `single sign-on with next ${next}`,
      await browser.request('POST', '/api/single-sign-on', { next }),
      400,
    );
}

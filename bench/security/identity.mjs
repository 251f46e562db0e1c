import { Secret, TOTP } from 'otpauth';
import { Browser } from './browser.mjs';
import { PASSWORD, racesOf } from './races.mjs';
import { digestOf, mailTo, send } from './test-data.mjs';

const STEP = 30_000;
const WRONG = '000000';

/** A user with a password and an authenticator app, set up through the API. */
async function enrolled(url, dataDir, name) {
  const browser = new Browser(url);
  const email = `${name}@example.com`;
  await browser.ask('POST', '/api/send-verification', { email });
  const [verificationCode] = await mailTo(dataDir, email, /\b\d{6}\b/);
  const form = { email, password: PASSWORD, firstName: 'Ada', lastName: 'Test', username: name, verificationCode };
  const { id } = JSON.parse((await browser.ask('POST', '/api/register', form)).text);
  const { secret } = JSON.parse((await browser.ask('POST', '/api/user/factors', {})).text);
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: STEP / 1000 });
  const made = await browser.ask('POST', '/api/user/factors/verify', { code: totp.generate() });
  const { recoveryCodes } = JSON.parse(made.text);
  return { id, email, browser, totp, recoveryCodes };
}

/** A browser after the password step of a sign-in. */
async function halfway(url, { email }) {
  const browser = new Browser(url);
  await browser.ask('POST', '/api/login', { email, password: PASSWORD });
  return browser;
}

/** Waits for the next 30-second period, of which no code has been used. */
const untilNextStep = () => new Promise((resolve) => setTimeout(resolve, STEP - (Date.now() % STEP) + 100));

/** Second factors, passkeys and reauthentications: replayed, raced, taken from another user, and guessed. */
export async function identity(url, pool, dataDir, scene, findings) {
  const race = racesOf(findings);
  const ada = await enrolled(url, dataDir, 'attack_ada');
  const expect = (what, answer, status) => {
    findings.count('identity', answer);
    if (answer.status !== status) findings.add('identity', `${what}: ${answer.status} ${answer.text.slice(0, 120)}`);
  };
  await ofSignIns(url, ada, race, expect);
  await ofConfirmations(url, pool, ada, scene, expect);
  await ofPasskeys(url, ada, scene, expect);
}

async function ofSignIns(url, ada, race, expect) {
  const many = [];
  while (many.length < 50) many.push(await halfway(url, ada));
  const other = await halfway(url, ada);
  expect('half a sign-in opens nothing', await other.ask('GET', '/api/user'), 401);
  await race('a recovery code', 1, (at) =>
    many[at].ask('POST', '/api/login/factor', { recoveryCode: ada.recoveryCodes[0] }),
  );
  expect(
    'a spent recovery code',
    await other.ask('POST', '/api/login/factor', { recoveryCode: ada.recoveryCodes[0] }),
    400,
  );
  await untilNextStep();
  const code = ada.totp.generate();
  const again = [];
  while (again.length < 50) again.push(await halfway(url, ada));
  await race('a code of the app', 1, (at) => again[at].ask('POST', '/api/login/factor', { code }));
  expect('the same code in its half minute', await other.ask('POST', '/api/login/factor', { code }), 400);
  expect('an empty recovery code', await other.ask('POST', '/api/login/factor', { recoveryCode: ' - ' }), 400);
  expect(
    'two proofs, both wrong',
    await other.ask('POST', '/api/login/factor', { code: WRONG, recoveryCode: 'x' }),
    400,
  );
}

async function ofConfirmations(url, pool, ada, scene, expect) {
  const forget = () => pool.query('update sessions set confirmed_at = null where user_id = $1', [ada.id]);
  const second = await halfway(url, ada);
  const planted = 'a'.repeat(43);
  second.session = planted;
  await second.ask('POST', '/api/login/factor', { recoveryCode: ada.recoveryCodes[1] });
  expect('the planted session', await withSession(url, planted).ask('GET', '/api/user'), 401);
  expect('the session that was given', await second.ask('GET', '/api/user'), 200);
  await forget();
  const token = { name: 'Attack', scope: 'read', expiresInDays: 1 };
  expect('a token without a confirmation', await second.ask('POST', '/api/user/tokens', token), 403);
  expect('a wrong confirmation', await second.ask('POST', '/api/user/confirm', { password: 'not it' }), 400);
  expect('a confirmation', await ada.browser.ask('POST', '/api/user/confirm', { password: PASSWORD }), 200);
  expect('the confirmation of another session', await second.ask('POST', '/api/user/tokens', token), 403);
  expect('its own', await ada.browser.ask('POST', '/api/user/tokens', token), 201);
  const { rows } = await pool.query('select sid from sessions where user_id = $1 limit 1', [ada.id]);
  expect('a digest as a session', await withSession(url, rows[0].sid).ask('GET', '/api/user'), 401);
  expect('a code of another person', await second.ask('POST', '/api/user/confirm', { code: WRONG }), 400);
  for (const [method, path, body] of [
    ['POST', '/api/user/factors', {}],
    ['DELETE', '/api/user/factors', undefined],
    ['POST', '/api/user/factors/recovery-codes', {}],
    ['POST', '/api/user/passkeys/options', {}],
    ['GET', '/api/user/export', undefined],
  ])
    expect(`${method} ${path} unconfirmed`, await second.ask(method, path, body), 403);
  expect('another’s factors by a token', await send(url, 'GET', '/api/user/factors', { headers: scene.token }), 403);
  const forged = { 'X-Forwarded-For': '127.0.0.1', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
  const reset = await new Browser(url).ask('POST', '/api/forgot-password', { email: ada.email }, forged);
  expect('a reset behind made-up headers', reset, 200);
}

function withSession(url, id) {
  const browser = new Browser(url);
  browser.session = id;
  return browser;
}

async function ofPasskeys(url, ada, { ids }, expect) {
  const thief = await halfway(url, ada);
  await thief.ask('POST', '/api/login/factor', { recoveryCode: ada.recoveryCodes[2] });
  expect('removing a passkey of another', await thief.ask('DELETE', `/api/user/passkeys/${ids.passkeys}`), 404);
  expect('renaming it', await thief.ask('PATCH', `/api/user/passkeys/${ids.passkeys}`, { name: 'Mine' }), 404);
  expect(
    'disconnecting an identity of another',
    await thief.ask('DELETE', `/api/user/identities/${ids.identities}`),
    404,
  );
  expect('deleting a token of another', await thief.ask('DELETE', `/api/user/tokens/${ids.tokens}`), 404);
  const browser = new Browser(url);
  const { challenge } = JSON.parse((await browser.ask('POST', '/api/login/passkey/options', {})).text);
  const clientDataJSON = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin: url })).toString(
    'base64url',
  );
  const part = Buffer.from(digestOf('nothing')).toString('base64url');
  const answer = (id) => ({
    response: {
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: { clientDataJSON, authenticatorData: part, signature: part },
    },
  });
  for (const id of ['YXR0YWNr', 'bm9ib2R5'])
    expect('a made-up answer of a passkey', await browser.ask('POST', '/api/login/passkey', answer(id)), 400);
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', '/%0d%0aX: y\r\n'])
    expect(`single sign-on with next ${next}`, await browser.ask('POST', '/api/single-sign-on', { next }), 400);
}

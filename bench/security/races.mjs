import { waitForEmail, insertUser, send } from './test-data.mjs';

const CONCURRENCY = 50;
export const PASSWORD = 'violet harbour 71 lantern';

const runConcurrently = (attempt) => Promise.all(Array.from({ length: CONCURRENCY }, (_, index) => attempt(index)));
const countSuccessful = (responses) => responses.filter(({ status }) => status >= 200 && status < 300).length;

/** Returns a function that runs a race, and adds a finding if the number of successes isn't the expected one. */
export function createRaceRunner(findings) {
  return async (name, expected, attempt, countStored) => {
    const responses = await runConcurrently(attempt);
    for (const response of responses) {
      findings.count(`race, ${name}`, response);
      // Of fifty concurrent expensive requests, some are rejected as busy.
      const isBusy = response.status === 503 && response.text.includes('"SERVER_BUSY"');
      if (response.status === 0 || (response.status >= 500 && !isBusy))
        findings.add(`race, ${name}`, `${response.status} ${response.text.slice(0, 120)}`);
    }
    const actual = countStored ? await countStored() : countSuccessful(responses);
    const firstError = responses.find(({ status }) => status >= 400)?.text.slice(0, 120);
    if (actual !== expected)
      findings.add(`race, ${name}`, `${actual} instead of the expected ${expected}; ${firstError}`);
  };
}

/** Uses one code, link or quota unit fifty times concurrently. */
export async function testRaces(url, pool, dataDir, testData, findings) {
  const runRace = createRaceRunner(findings);
  await raceCredentials(url, dataDir, runRace);
  await raceInvitations(url, pool, dataDir, testData, runRace);
  await raceVotes(url, pool, testData, runRace);
  await raceJoins(url, pool, testData, runRace);
  const freeUser = await insertUser(pool, 'race_zones');
  await runRace(
    'zones beyond the limit of the plan',
    await zoneLimitOf(url, freeUser),
    (index) =>
      send(url, 'POST', '/api/zones', { headers: freeUser.headers, body: { name: `Zone ${index}`, type: 'private' } }),
    () => countRows(pool, 'zones where owner_id = $1', [freeUser.id]),
  );
}

const countRows = async (pool, sql, values) =>
  Number((await pool.query(`select count(*) as n from ${sql}`, values)).rows[0].n);
const countMembers = (pool, zoneId, users) =>
  countRows(pool, 'zone_members where zone_id = $1 and user_id = any($2)', [zoneId, users.map(({ id }) => id)]);

async function raceCredentials(url, dataDir, runRace) {
  const email = 'race_code@example.com';
  await send(url, 'POST', '/api/send-verification', { body: { email } });
  const [verificationCode] = await waitForEmail(dataDir, email, /\b\d{6}\b/);
  const form = { email, password: PASSWORD, firstName: 'Ada', lastName: 'Test', verificationCode };
  await runRace('a registration code', 1, (index) =>
    send(url, 'POST', '/api/register', { body: { ...form, username: `race_code_${index}` } }),
  );
  await send(url, 'POST', '/api/forgot-password', { body: { email } });
  const [, token] = await waitForEmail(dataDir, email, /reset-password\?token=([\w-]+)/);
  await runRace('a password reset link', 1, (index) =>
    send(url, 'POST', '/api/reset-password', { body: { token, password: `${PASSWORD} ${index}` } }),
  );
}

async function raceInvitations(url, pool, dataDir, { owner, zone }, runRace) {
  const invitedUser = await insertUser(pool, 'race_invited');
  const invitation = { headers: owner.headers, body: { emails: [invitedUser.email] } };
  const { text } = await send(url, 'POST', `/api/zones/${zone.id}/invite`, invitation);
  if (!/"invited":1\b/.test(text)) throw new Error(`The invitation failed: ${text.slice(0, 300)}`);
  const [, token] = await waitForEmail(dataDir, invitedUser.email, /invite\/([\w-]+)/);
  const body = { token, email: invitedUser.email, emailConsent: true };
  await runRace(
    'an invitation',
    1,
    () => send(url, 'POST', '/api/accept-invite', { headers: invitedUser.headers, body }),
    () => countMembers(pool, zone.id, [invitedUser]),
  );
}

async function raceVotes(url, pool, { ids }, runRace) {
  const voter = await insertUser(pool, 'race_voter');
  const suggestionId = ids['feature-suggestions'];
  const countVotes = async () =>
    Number(
      (await pool.query('select vote_count from feature_suggestions where id = $1', [suggestionId])).rows[0].vote_count,
    );
  await runRace(
    'votes of one user',
    (await countVotes()) + 1,
    () => send(url, 'POST', `/api/feature-suggestions/${suggestionId}/vote`, { headers: voter.headers, body: {} }),
    countVotes,
  );
}

async function raceJoins(url, pool, { owner, zone, ids }, runRace) {
  // Temporary links are only for zones that aren't public.
  const privateZoneId = ids['private zone'];
  const body = { name: 'Five', expiresInHours: 1, maxUses: 5 };
  const link = await send(url, 'POST', `/api/zones/${privateZoneId}/temporary-links`, { headers: owner.headers, body });
  const { token } = JSON.parse(link.text);
  const users = [];
  while (users.length < CONCURRENCY) users.push(await insertUser(pool, `race_joining_${users.length}`));
  const join = (path, { headers, email }) => send(url, 'POST', path, { headers, body: { email, emailConsent: true } });
  await runRace(
    'a link with five uses',
    5,
    (index) => join(`/api/temporary-links/${token}/join`, users[index]),
    () => countMembers(pool, privateZoneId, users),
  );
  const user = await insertUser(pool, 'race_single');
  await runRace(
    'joins of one user',
    1,
    () => join(`/api/public-zones/${zone.publicLink}/join`, user),
    () => countMembers(pool, zone.id, [user]),
  );
}

/** Returns the zone limit of a user's plan. */
async function zoneLimitOf(url, { headers }) {
  const usage = JSON.parse((await send(url, 'GET', '/api/user/usage', { headers })).text);
  return usage.find(({ metric }) => metric === 'zones').allowed;
}

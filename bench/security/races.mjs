import { mailTo, person, send } from './test-data.mjs';

const AT_ONCE = 50;
export const PASSWORD = 'violet harbour 71 lantern';

const atOnce = (work) => Promise.all(Array.from({ length: AT_ONCE }, (_, at) => work(at)));
const well = (answers) => answers.filter(({ status }) => status >= 200 && status < 300).length;

/** Returns a function that runs a race and adds a finding for an unexpected result. */
export function racesOf(findings) {
  return async (name, expected, work, kept) => {
    const answers = await atOnce(work);
    for (const answer of answers) {
      findings.count(`race, ${name}`, answer);
      // Of fifty concurrent expensive requests, some are rejected as busy.
      const isBusy = answer.status === 503 && answer.text.includes('"SERVER_BUSY"');
      if (answer.status === 0 || (answer.status >= 500 && !isBusy))
        findings.add(`race, ${name}`, `${answer.status} ${answer.text.slice(0, 120)}`);
    }
    const found = kept ? await kept() : well(answers);
    const refusal = answers.find(({ status }) => status >= 400)?.text.slice(0, 120);
    if (found !== expected) findings.add(`race, ${name}`, `${found} instead of ${expected}; ${refusal}`);
  };
}

/** One code, link or quota unit, used fifty times concurrently. */
export async function races(url, pool, dataDir, scene, findings) {
  const race = racesOf(findings);
  await ofCredentials(url, dataDir, race);
  await ofInvitations(url, pool, dataDir, scene, race);
  await ofVotes(url, pool, scene, race);
  await ofJoins(url, pool, scene, race);
  const free = await person(pool, 'race_zones');
  await race(
    'zones beyond the plan',
    await planZones(url, free),
    (at) => send(url, 'POST', '/api/zones', { headers: free.headers, body: { name: `Zone ${at}`, type: 'private' } }),
    () => countOf(pool, 'zones where owner_id = $1', [free.id]),
  );
}

const countOf = async (pool, sql, values) =>
  Number((await pool.query(`select count(*) as n from ${sql}`, values)).rows[0].n);
const membersOf = (pool, zoneId, people) =>
  countOf(pool, 'zone_members where zone_id = $1 and user_id = any($2)', [zoneId, people.map(({ id }) => id)]);

async function ofCredentials(url, dataDir, race) {
  const email = 'race_code@example.com';
  await send(url, 'POST', '/api/send-verification', { body: { email } });
  const [verificationCode] = await mailTo(dataDir, email, /\b\d{6}\b/);
  const form = { email, password: PASSWORD, firstName: 'Ada', lastName: 'Test', verificationCode };
  await race('a code for registering', 1, (at) =>
    send(url, 'POST', '/api/register', { body: { ...form, username: `race_code_${at}` } }),
  );
  await send(url, 'POST', '/api/forgot-password', { body: { email } });
  const [, token] = await mailTo(dataDir, email, /reset-password\?token=([\w-]+)/);
  await race('a link to reset', 1, (at) =>
    send(url, 'POST', '/api/reset-password', { body: { token, password: `${PASSWORD} ${at}` } }),
  );
}

async function ofInvitations(url, pool, dataDir, { owner, zone }, race) {
  const invited = await person(pool, 'race_invited');
  const asked = { headers: owner.headers, body: { emails: [invited.email] } };
  const { text } = await send(url, 'POST', `/api/zones/${zone.id}/invite`, asked);
  if (!/"invited":1\b/.test(text)) throw new Error(`Nobody was invited: ${text.slice(0, 300)}`);
  const [, token] = await mailTo(dataDir, invited.email, /invite\/([\w-]+)/);
  const body = { token, email: invited.email, emailConsent: true };
  await race(
    'an invitation',
    1,
    () => send(url, 'POST', '/api/accept-invite', { headers: invited.headers, body }),
    () => membersOf(pool, zone.id, [invited]),
  );
}

async function ofVotes(url, pool, { ids }, race) {
  const voter = await person(pool, 'race_voter');
  const wish = ids['feature-suggestions'];
  const votes = async () =>
    Number((await pool.query('select vote_count from feature_suggestions where id = $1', [wish])).rows[0].vote_count);
  await race(
    'votes of one person',
    (await votes()) + 1,
    () => send(url, 'POST', `/api/feature-suggestions/${wish}/vote`, { headers: voter.headers, body: {} }),
    votes,
  );
}

async function ofJoins(url, pool, { owner, zone, ids }, race) {
  // Temporary links are only for zones that aren't public.
  const hidden = ids['private zone'];
  const body = { name: 'Five', expiresInHours: 1, maxUses: 5 };
  const link = await send(url, 'POST', `/api/zones/${hidden}/temporary-links`, { headers: owner.headers, body });
  const { token } = JSON.parse(link.text);
  const crowd = [];
  while (crowd.length < AT_ONCE) crowd.push(await person(pool, `race_crowd_${crowd.length}`));
  const join = (path, { headers, email }) => send(url, 'POST', path, { headers, body: { email, emailConsent: true } });
  await race(
    'a link for five',
    5,
    (at) => join(`/api/temporary-links/${token}/join`, crowd[at]),
    () => membersOf(pool, hidden, crowd),
  );
  const one = await person(pool, 'race_one');
  await race(
    'one person joining',
    1,
    () => join(`/api/public-zones/${zone.publicLink}/join`, one),
    () => membersOf(pool, zone.id, [one]),
  );
}

/** The zone limit of a user. */
async function planZones(url, { headers }) {
  const usage = JSON.parse((await send(url, 'GET', '/api/user/usage', { headers })).text);
  return usage.find(({ metric }) => metric === 'zones').allowed;
}

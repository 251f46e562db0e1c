import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { elsewhere, registered } from './browser.mjs';
import { watched } from './pulse.mjs';
import { send } from './world.mjs';

const INVITED = 200;
const AT_ONCE = 20;
const FORMS = 200;
/** What an account without a plan may send to people who are not in its zones, in a day; visitors of one zone half of it. */
const [DAY_OF_OWNER, DAY_OF_ZONE] = [100, 50];
/** What one network may have sent before it must work for it. */
const FREE_OF_WORK = 10;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Mails that have left, to addresses that begin so. */
function mailsTo(dataDir, beginning) {
  const folder = join(dataDir, 'mailbox');
  const names = readdirSync(folder).filter((name) => /^\d.*\.json$/.test(name));
  return names.filter((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).to.startsWith(beginning)).length;
}

/** Waits until no mail has work to do any more. */
async function settled(pool) {
  for (let tries = 0; tries < 600; tries++) {
    const { rows } = await pool.query(
      "select count(*)::int as open from jobs where state = 'running' or (state = 'queued' and run_at <= now())",
    );
    if (rows[0].open === 0) return;
    await sleep(100);
  }
  throw new Error('The jobs did not come to their end.');
}

/** A free account invites strangers, each list is mailed, and revoked, so that the people of the plan do not count them. */
async function inviting(url, pool, dataDir, findings) {
  const { browser } = await registered(url, dataDir, 'attack_inviter');
  const made = await browser.ask('POST', '/api/zones', { name: 'Strangers', type: 'private' });
  findings.control('strangers', 'a zone', made, 201);
  const { id } = JSON.parse(made.text);
  let [taken, revoked] = [0, 0];
  for (let round = 0; round < INVITED / AT_ONCE; round++) {
    browser.network = elsewhere();
    const emails = Array.from({ length: AT_ONCE }, (_, at) => `invited_${round}_${at}@example.com`);
    const answer = await browser.ask('POST', `/api/zones/${id}/invite`, { emails });
    findings.count('strangers, inviting', answer);
    taken += answer.text.match(/"success":true/g)?.length ?? 0;
    await settled(pool);
    const { rows } = await pool.query('select id from invitations where zone_id = $1', [id]);
    for (const invitation of rows) {
      const gone = await browser.ask('DELETE', `/api/zones/${id}/invitations/${invitation.id}`);
      findings.count('strangers, revoking', gone);
      if (gone.status < 300) revoked++;
    }
  }
  const left = mailsTo(dataDir, 'invited_');
  if (left === 0 || revoked === 0) findings.add('strangers', 'did not try: no invitation was mailed and revoked');
  if (left > DAY_OF_OWNER) findings.add('strangers', `${left} mails left for strangers by inviting`);
  console.log(`strangers: ${INVITED} invited, ${taken} taken, ${revoked} revoked, ${left} mails left`);
}

/** Strangers’ addresses in the form of a public zone. */
async function joining(url, pool, dataDir, name, networkOf, most, findings) {
  const { browser } = await registered(url, dataDir, `attack_${name}`);
  const made = await browser.ask('POST', '/api/zones', { name: 'Form', type: 'public', autoJoin: true });
  findings.control('strangers', 'a public zone', made, 201);
  const { publicLink } = JSON.parse(made.text);
  for (let at = 0; at < FORMS; at++) {
    const body = { email: `${name}_${at}@example.com`, emailConsent: true };
    const answer = await send(url, 'POST', `/api/public-zones/${publicLink}/join`, { headers: networkOf(), body });
    findings.count(`strangers, ${name}`, answer);
    if (at === 0) findings.control('strangers', 'the first form', answer, 200);
  }
  await settled(pool);
  const left = mailsTo(dataDir, `${name}_`);
  if (left === 0) findings.add('strangers', `did not try: no mail came of the forms (${name})`);
  if (left > most) findings.add('strangers', `${left} mails left by forms (${name})`);
  console.log(`strangers: ${FORMS} forms (${name}): ${findings.statuses(`strangers, ${name}`)}, ${left} mails left`);
}

/** Strangers who are written to in the name of the product: by inviting and revoking, and by forms to join. */
export async function strangersMails(url, pool, dataDir, findings) {
  const met = await watched('strangers', url, findings, async () => {
    await inviting(url, pool, dataDir, findings);
    const one = elsewhere();
    await joining(url, pool, dataDir, 'one_network', () => one, FREE_OF_WORK, findings);
    await joining(url, pool, dataDir, 'many_networks', elsewhere, DAY_OF_ZONE, findings);
  });
  console.log(`strangers: ${met}`);
}

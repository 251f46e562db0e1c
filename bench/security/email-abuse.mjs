import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { elsewhere, registered } from './browser.mjs';
import { watched } from './health-probe.mjs';
import { send } from './test-data.mjs';

const INVITED = 200;
const AT_ONCE = 20;
const FORMS = 200;
/** Emails per day to non-members for an account without a plan, and for visitors of one zone, who get half of that. */
const [DAY_OF_OWNER, DAY_OF_ZONE] = [100, 50];
/** Emails one network may trigger before it needs proof of work. */
const FREE_OF_WORK = 10;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Emails sent to addresses with this prefix. */
function mailsTo(dataDir, beginning) {
  const folder = join(dataDir, 'mailbox');
  const names = readdirSync(folder).filter((name) => /^\d.*\.json$/.test(name));
  return names.filter((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).to.startsWith(beginning)).length;
}

/** Waits until no email jobs are left. */
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

/**
 * A free account invites strangers and revokes the invitations after they are sent, so that they don't count for the
 * plan.
 */
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

/** Submits strangers' addresses to a public zone's join form. */
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

/** Sends emails to strangers in the product's name: by inviting and revoking, and by join forms. */
export async function strangersMails(url, pool, dataDir, findings) {
  const met = await watched('strangers', url, findings, async () => {
    await inviting(url, pool, dataDir, findings);
    const one = elsewhere();
    await joining(url, pool, dataDir, 'one_network', () => one, FREE_OF_WORK, findings);
    await joining(url, pool, dataDir, 'many_networks', elsewhere, DAY_OF_ZONE, findings);
  });
  console.log(`strangers: ${met}`);
}

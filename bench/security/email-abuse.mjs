import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newNetworkHeaders, registerUser } from './browser.mjs';
import { withHealthProbe } from './health-probe.mjs';
import { send } from './test-data.mjs';

const INVITATIONS = 200;
const BATCH_SIZE = 20;
const JOIN_FORMS = 200;
/** Daily limits of emails to non-members: of an account without a plan, and of one zone's visitors, half of it. */
const [OWNER_DAILY_LIMIT, ZONE_DAILY_LIMIT] = [100, 50];
/** Emails that one network may trigger before proof of work is required. */
const PROOF_OF_WORK_THRESHOLD = 10;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Counts the emails sent to addresses with a prefix. */
function countEmails(dataDir, prefix) {
  const folder = join(dataDir, 'mailbox');
  const names = readdirSync(folder).filter((name) => /^\d.*\.json$/.test(name));
  return names.filter((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).to.startsWith(prefix)).length;
}

/** Waits until no jobs are due or running. */
async function waitForJobs(pool) {
  for (let attempt = 0; attempt < 600; attempt++) {
    const { rows } = await pool.query(
      "select count(*)::int as open from jobs where state = 'running' or (state = 'queued' and run_at <= now())",
    );
    if (rows[0].open === 0) return;
    await sleep(100);
  }
  throw new Error('The jobs did not finish.');
}

/**
 * Invites non-members from a free account and revokes the invitations after they are sent, so that they don't count for
 * the plan.
 */
async function testInvitations(url, pool, dataDir, findings) {
  const { browser } = await registerUser(url, dataDir, 'attack_inviter');
  const created = await browser.request('POST', '/api/zones', { name: 'Invitations', type: 'private' });
  findings.checkPrecondition('email-abuse', 'a zone', created, 201);
  const { id } = JSON.parse(created.text);
  let [accepted, revoked] = [0, 0];
  for (let round = 0; round < INVITATIONS / BATCH_SIZE; round++) {
    browser.network = newNetworkHeaders();
    const emails = Array.from({ length: BATCH_SIZE }, (_, index) => `invited_${round}_${index}@example.com`);
    const response = await browser.request('POST', `/api/zones/${id}/invite`, { emails });
    findings.count('email-abuse, invitations', response);
    accepted += response.text.match(/"success":true/g)?.length ?? 0;
    await waitForJobs(pool);
    const { rows } = await pool.query('select id from invitations where zone_id = $1', [id]);
    for (const invitation of rows) {
      const revocation = await browser.request('DELETE', `/api/zones/${id}/invitations/${invitation.id}`);
      findings.count('email-abuse, revocations', revocation);
      if (revocation.status < 300) revoked++;
    }
  }
  const sentEmails = countEmails(dataDir, 'invited_');
  if (sentEmails === 0 || revoked === 0)
    findings.add('email-abuse', 'precondition failed: no invitation was emailed and revoked');
  if (sentEmails > OWNER_DAILY_LIMIT)
    findings.add('email-abuse', `${sentEmails} emails sent to non-members by invitations`);
  console.log(
    `email-abuse: ${INVITATIONS} invitations: ${accepted} accepted, ${revoked} revoked, ${sentEmails} emails sent`,
  );
}

/** Submits non-members' addresses to a public zone's join form. */
async function testJoinForm(url, pool, dataDir, name, createHeaders, limit, findings) {
  const { browser } = await registerUser(url, dataDir, `attack_${name}`);
  const created = await browser.request('POST', '/api/zones', { name: 'Form', type: 'public', autoJoin: true });
  findings.checkPrecondition('email-abuse', 'a public zone', created, 201);
  const { publicLink } = JSON.parse(created.text);
  for (let index = 0; index < JOIN_FORMS; index++) {
    const body = { email: `${name}_${index}@example.com`, emailConsent: true };
    const response = await send(url, 'POST', `/api/public-zones/${publicLink}/join`, {
      headers: createHeaders(),
      body,
    });
    findings.count(`email-abuse, ${name}`, response);
    if (index === 0) findings.checkPrecondition('email-abuse', 'the first join form', response, 200);
  }
  await waitForJobs(pool);
  const sentEmails = countEmails(dataDir, `${name}_`);
  if (sentEmails === 0) findings.add('email-abuse', `precondition failed: the join forms sent no email (${name})`);
  if (sentEmails > limit) findings.add('email-abuse', `${sentEmails} emails sent by join forms (${name})`);
  console.log(
    `email-abuse: ${JOIN_FORMS} join forms (${name}): ${findings.formatStatuses(`email-abuse, ${name}`)}, ${sentEmails} emails sent`,
  );
}

/** Triggers emails to non-members: by inviting and revoking, and by join forms. */
export async function testEmailAbuse(url, pool, dataDir, findings) {
  const probeResult = await withHealthProbe('email-abuse', url, findings, async () => {
    await testInvitations(url, pool, dataDir, findings);
    const singleNetwork = newNetworkHeaders();
    await testJoinForm(url, pool, dataDir, 'one_network', () => singleNetwork, PROOF_OF_WORK_THRESHOLD, findings);
    await testJoinForm(url, pool, dataDir, 'many_networks', newNetworkHeaders, ZONE_DAILY_LIMIT, findings);
  });
  console.log(`email-abuse: ${probeResult}`);
}

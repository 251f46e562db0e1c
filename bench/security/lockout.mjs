import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, newNetworkHeaders, registerUser, signIn } from './browser.mjs';
import { send } from './test-data.mjs';

const FEW_GUESSES = 15;
/** More than every limit per account: attempts from other networks must not lock out its owner. */
const MANY_GUESSES = 120;
const OTHER_REQUESTS = 3;

/** Returns the tokens of the password reset links in the emails to an address, oldest first. */
function findResetLinks(dataDir, email) {
  const folder = join(dataDir, 'mailbox');
  const names = readdirSync(folder).filter((name) => /^\d.*\.json$/.test(name));
  const emails = names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return emails.flatMap(
    ({ to, text }) => (to.includes(email) && /reset-password\?token=([\w-]+)/.exec(text)?.[1]) || [],
  );
}

/** Requests a reset link and waits for its email; returns its token. */
async function requestResetLink(url, dataDir, email, sendRequest, findings) {
  const before = findResetLinks(dataDir, email).length;
  const response = await sendRequest();
  findings.count('lockout, reset links requested', response);
  for (let attempt = 0; attempt < 200; attempt++) {
    const links = findResetLinks(dataDir, email);
    if (links.length > before) return links.at(-1);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  findings.add(
    'lockout',
    `precondition failed: no link arrived, the response was ${response.status} ${response.text.slice(0, 100)}`,
  );
  return null;
}

async function guessPasswords(url, email, count, findings) {
  for (let index = 0; index < count; index++) {
    const body = { email, password: `not the password ${index}` };
    const response = await send(url, 'POST', '/api/login', { headers: newNetworkHeaders(), body });
    findings.count('lockout, guesses', response);
  }
}

/** Guesses passwords and requests links from other networks; the owner's own browser and link must keep working. */
export async function testLockout(url, dataDir, findings) {
  const { email, browser } = await registerUser(url, dataDir, 'attack_victim');
  const results = [];
  for (const count of [FEW_GUESSES, MANY_GUESSES]) {
    await guessPasswords(url, email, count, findings);
    const { ms, error } = await signIn(browser, email);
    if (error) findings.add('lockout', `the known browser is locked out after ${count} guesses: ${error}`);
    results.push(
      `after ${count} guesses the known browser ${error ? `got ${error}` : `signed in within ${Math.round(ms)} ms`}`,
    );
  }
  const response = await browser.request('POST', '/api/login', { email, password: 'not the password' });
  findings.checkPrecondition('lockout', 'a wrong password', response, 401);
  const ownLink = await requestResetLink(
    url,
    dataDir,
    email,
    () => browser.request('POST', '/api/forgot-password', { email }),
    findings,
  );
  const isUsable = async (token) => {
    const response = await new Browser(url, newNetworkHeaders()).request('POST', '/api/reset-password/check', {
      token,
    });
    findings.count('lockout, reset links checked', response);
    return response.text.includes('"usable":true');
  };
  if (!ownLink || !(await isUsable(ownLink)))
    return findings.add('lockout', 'precondition failed: the owner’s link was never valid');
  for (let index = 1; index <= OTHER_REQUESTS; index++) {
    const sendRequest = () =>
      send(url, 'POST', '/api/forgot-password', { headers: newNetworkHeaders(), body: { email } });
    const latestLink = await requestResetLink(url, dataDir, email, sendRequest, findings);
    if (latestLink && !(await isUsable(latestLink)))
      findings.add('lockout', `precondition failed: link ${index} of other requesters is invalid`);
    const isOwnLinkUsable = await isUsable(ownLink);
    results.push(`the owner’s link is ${isOwnLinkUsable ? 'valid' : 'invalid'} after ${index} of other requesters`);
    if (!isOwnLinkUsable)
      findings.add('lockout', `${index} links of other requesters invalidate the owner’s reset link`);
  }
  console.log(`lockout: guesses ${findings.formatStatuses('lockout, guesses')}; ${results.join('; ')}`);
}

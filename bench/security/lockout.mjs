import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, elsewhere, registered, signIn } from './browser.mjs';
import { send } from './test-data.mjs';

const TRIES = 15;
/** Beyond every limit per account: attempts by strangers must not lock out its owner. */
const MANY_TRIES = 120;
const STRANGERS = 3;

/** Password reset links in the emails to an address, oldest first. */
function linksTo(dataDir, email) {
  const folder = join(dataDir, 'mailbox');
  const names = readdirSync(folder).filter((name) => /^\d.*\.json$/.test(name));
  const mails = names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return mails.flatMap(
    ({ to, text }) => (to.includes(email) && /reset-password\?token=([\w-]+)/.exec(text)?.[1]) || [],
  );
}

/** Requests a link and waits for its email. */
async function askForLink(url, dataDir, email, ask, findings) {
  const before = linksTo(dataDir, email).length;
  const answer = await ask();
  findings.count('lockout, links asked for', answer);
  for (let tries = 0; tries < 200; tries++) {
    const links = linksTo(dataDir, email);
    if (links.length > before) return links.at(-1);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  findings.add('lockout', `did not try: no link came, the answer was ${answer.status} ${answer.text.slice(0, 100)}`);
  return null;
}

async function guess(url, email, count, findings) {
  for (let at = 0; at < count; at++) {
    const body = { email, password: `not the password ${at}` };
    const answer = await send(url, 'POST', '/api/login', { headers: elsewhere(), body });
    findings.count('lockout, guesses', answer);
  }
}

/** Strangers guess codes and request links; the owner's own browser and links must keep working. */
export async function lockingOut(url, dataDir, findings) {
  const { email, browser } = await registered(url, dataDir, 'attack_victim');
  const told = [];
  for (const count of [TRIES, MANY_TRIES]) {
    await guess(url, email, count, findings);
    const { ms, refused } = await signIn(browser, email);
    if (refused) findings.add('lockout', `the known browser is locked out after ${count} guesses: ${refused}`);
    told.push(
      `after ${count} guesses the known browser ${refused ? `got ${refused}` : `was in within ${Math.round(ms)} ms`}`,
    );
  }
  const wrong = await browser.ask('POST', '/api/login', { email, password: 'not the password' });
  findings.control('lockout', 'a wrong password', wrong, 401);
  const own = await askForLink(
    url,
    dataDir,
    email,
    () => browser.ask('POST', '/api/forgot-password', { email }),
    findings,
  );
  const usable = async (token) => {
    const answer = await new Browser(url, elsewhere()).ask('POST', '/api/reset-password/check', { token });
    findings.count('lockout, links looked at', answer);
    return answer.text.includes('"usable":true');
  };
  if (!own || !(await usable(own))) return findings.add('lockout', 'did not try: the person’s link was never good');
  for (let at = 1; at <= STRANGERS; at++) {
    const ask = () => send(url, 'POST', '/api/forgot-password', { headers: elsewhere(), body: { email } });
    const last = await askForLink(url, dataDir, email, ask, findings);
    if (last && !(await usable(last))) findings.add('lockout', `did not try: link ${at} of a stranger is not good`);
    const still = await usable(own);
    told.push(`the person’s link ${still ? 'is good' : 'is void'} after ${at} of strangers`);
    if (!still) findings.add('lockout', `${at} of strangers void the person’s link to a new password`);
  }
  console.log(`lockout: guesses ${findings.statuses('lockout, guesses')}; ${told.join('; ')}`);
}

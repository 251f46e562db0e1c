import { elsewhere, formOf, judgeSignIns, registered, signingIn } from './browser.mjs';
import { each } from './findings.mjs';
import { watched } from './health-probe.mjs';
import { send } from './test-data.mjs';

const FORMS = 600;
const LANES = 50;
/** Longest acceptable sign-in, in milliseconds. */
const MOST = 2000;

/** Registers with wrong codes, each from a new network, while a user signs in. */
export async function wrongCodes(url, dataDir, findings, until) {
  // Registration works with the correct code, so what is rejected below is the code.
  const person = await registered(url, dataDir, 'attack_waiting');
  const stopQuiet = signingIn(person, 100);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const quiet = await stopQuiet();
  console.log(`register: at rest ${judgeSignIns('register', quiet, MOST, findings)}`);
  const forms = Array.from({ length: FORMS }, (_, at) => formOf(`wrong_${at}@example.com`, `wrong_${at}`, '000000'));
  const stop = signingIn(person, 20);
  const begun = performance.now();
  let left = 0;
  const met = await watched('register', url, findings, async () => {
    left = await each(forms, LANES, until, async (body) => {
      const answer = await send(url, 'POST', '/api/register', { headers: elsewhere(), body });
      findings.count('register', answer);
      const busy = answer.status === 503 && answer.text.includes('"SERVER_BUSY"');
      if (!busy && !answer.text.includes('"CODE_INVALID"'))
        findings.add('register', `did not try: ${answer.status} ${answer.text.slice(0, 100)}`);
    });
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const waited = judgeSignIns('register', await stop(), MOST, findings);
  if (left > 0) findings.add('register', `${left} forms were not sent, the time was up`);
  console.log(
    `register: ${FORMS} forms with wrong codes in ${seconds} s: ${findings.statuses('register')}; ${waited}; ${met}`,
  );
}

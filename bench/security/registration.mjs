import { newNetworkHeaders, registrationForm, reportSignIns, registerUser, startRepeatedSignIns } from './browser.mjs';
import { forEachConcurrently } from './findings.mjs';
import { withHealthProbe } from './health-probe.mjs';
import { send } from './test-data.mjs';

const REQUESTS = 600;
const CONCURRENCY = 50;
/** Longest acceptable sign-in, in milliseconds. */
const SIGN_IN_LIMIT_MS = 2000;

/** Registers with wrong codes, each from a new network, while a user signs in repeatedly. */
export async function testRegistration(url, dataDir, findings, deadline) {
  // Registration works with the correct code, so what is rejected below is the code.
  const user = await registerUser(url, dataDir, 'attack_waiting');
  const stopBaseline = startRepeatedSignIns(user, 100);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const baseline = await stopBaseline();
  console.log(`registration: without load ${reportSignIns('registration', baseline, SIGN_IN_LIMIT_MS, findings)}`);
  const bodies = Array.from({ length: REQUESTS }, (_, index) =>
    registrationForm(`wrong_${index}@example.com`, `wrong_${index}`, '000000'),
  );
  const stop = startRepeatedSignIns(user, 20);
  const startedAt = performance.now();
  let remaining = 0;
  const probeResult = await withHealthProbe('registration', url, findings, async () => {
    remaining = await forEachConcurrently(bodies, CONCURRENCY, deadline, async (body) => {
      const response = await send(url, 'POST', '/api/register', { headers: newNetworkHeaders(), body });
      findings.count('registration', response);
      const isBusy = response.status === 503 && response.text.includes('"SERVER_BUSY"');
      if (!isBusy && !response.text.includes('"CODE_INVALID"'))
        findings.add('registration', `precondition failed: ${response.status} ${response.text.slice(0, 100)}`);
    });
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const signIns = reportSignIns('registration', await stop(), SIGN_IN_LIMIT_MS, findings);
  if (remaining > 0) findings.add('registration', `${remaining} requests were not sent before the deadline`);
  console.log(
    `registration: ${REQUESTS} requests with wrong codes in ${seconds} s: ${findings.formatStatuses('registration')}; ${signIns}; ${probeResult}`,
  );
}

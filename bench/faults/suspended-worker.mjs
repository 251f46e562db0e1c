import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { fetchEmails, registerUser } from '../lib/product.mjs';
import { findWorkerPid } from '../lib/worker-process.mjs';

const RUNS = 2;

/** The worker is stopped (SIGSTOP) like on a suspended machine; an email requested meanwhile must arrive. */
export default {
  name: 'the worker hangs',
  previousBehaviour: 'no job ran until the worker was restarted',
  async run(environment) {
    const product = await environment.startProduct({ DATA_DIR: environment.createFolder() });
    await registerUser(product.url, 'fault_owner');
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 0; round < RUNS; round++) {
      const worker = findWorkerPid(product.child.pid);
      process.kill(worker, 'SIGSTOP');
      const email = `waiting.${round}@example.com`;
      await fetch(`${product.url}/api/send-verification`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
        body: JSON.stringify({ email }),
      });
      const seconds = await secondsUntil(async () => (await fetchEmails(product.url, email)).length > 0, 90);
      if (seconds === null) result.stuck++;
      else result.seconds = Math.max(result.seconds, seconds);
      if ((await fetchEmails(product.url, email)).length > 1) result.duplicated++;
    }
    return result;
  },
};

import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { mailsTo, register } from '../lib/product.mjs';
import { workerOf } from '../lib/worker-process.mjs';

const TIMES = 2;

/** The worker is stopped (SIGSTOP) like on a suspended machine; an email requested meanwhile must arrive. */
export default {
  name: 'the worker stands still',
  before: 'no job was done until somebody restarted it',
  async run(room) {
    const product = await room.product({ DATA_DIR: room.folder() });
    await register(product.url, 'fault_owner');
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 0; at < TIMES; at++) {
      const worker = workerOf(product.child.pid);
      process.kill(worker, 'SIGSTOP');
      const email = `waiting.${at}@example.com`;
      await fetch(`${product.url}/api/send-verification`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
        body: JSON.stringify({ email }),
      });
      const seconds = await secondsUntil(async () => (await mailsTo(product.url, email)).length > 0, 90);
      if (seconds === null) result.stuck++;
      else result.seconds = Math.max(result.seconds, seconds);
      if ((await mailsTo(product.url, email)).length > 1) result.doubled++;
    }
    return result;
  },
};

import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { FaultCampaigns } from '../lib/faults/campaign-fault-setup.mjs';
import { workerOf } from '../lib/worker-process.mjs';

const TIMES = 3;
const MEMBERS = 3000;
/** A worker's default number of connections. */
const CONNECTIONS = 20;

/** The worker is killed in the middle of a campaign; everybody must get exactly one email. */
export default {
  name: 'the worker is killed while it sends a campaign',
  before: 'what it held came back after 61 seconds',
  async run(room) {
    const world = await FaultCampaigns.open(room);
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 0; at < TIMES; at++) {
      const zoneId = await world.zone(MEMBERS);
      const before = world.server.taken;
      const id = await world.send(zoneId);
      await secondsUntil(() => world.server.taken > before + MEMBERS / 6);
      process.kill(workerOf(world.product.child.pid), 'SIGKILL');
      const all = await world.recipients(id);
      const seconds = await secondsUntil(() => all.every((address) => world.server.to(address).length > 0), 120);
      if (seconds === null) result.stuck++;
      result.seconds = Math.max(result.seconds, seconds ?? 120);
      const { lost, doubled } = await world.outcome(id, CONNECTIONS);
      result.lost += lost;
      result.doubled += doubled;
    }
    return result;
  },
};

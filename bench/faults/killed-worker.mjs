import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { CampaignFaultSetup } from '../lib/faults/campaign-fault-setup.mjs';
import { findWorkerPid } from '../lib/worker-process.mjs';

const RUNS = 3;
const MEMBERS = 3000;
/** A worker's default number of connections. */
const CONNECTIONS = 20;

/** The worker is killed during a campaign; every recipient must get exactly one email. */
export default {
  name: 'the worker is killed while it sends a campaign',
  previousBehaviour: 'its work was resumed after 61 seconds',
  async run(environment) {
    const setup = await CampaignFaultSetup.open(environment);
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 0; round < RUNS; round++) {
      const zoneId = await setup.createZone(MEMBERS);
      const receivedBefore = setup.server.received;
      const id = await setup.sendCampaign(zoneId);
      await secondsUntil(() => setup.server.received > receivedBefore + MEMBERS / 6);
      process.kill(findWorkerPid(setup.product.child.pid), 'SIGKILL');
      const addresses = await setup.listRecipients(id);
      const seconds = await secondsUntil(
        () => addresses.every((address) => setup.server.messageIdsOf(address).length > 0),
        120,
      );
      if (seconds === null) result.stuck++;
      result.seconds = Math.max(result.seconds, seconds ?? 120);
      const { lost, duplicated } = await setup.countLostAndDuplicated(id, CONNECTIONS);
      result.lost += lost;
      result.duplicated += duplicated;
    }
    return result;
  },
};

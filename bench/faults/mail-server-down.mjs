import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { CampaignFaultSetup } from '../lib/faults/campaign-fault-setup.mjs';

const RUNS = 2;
const MEMBERS = 300;
/** Each outage of the mail server. */
const DOWNTIME_MS = 15_000;

/** The mail server goes down while a campaign is sent and a user requests a code, and comes back. */
export default {
  name: 'the mail server is away for 15 seconds',
  previousBehaviour: 'nothing lost, but no one was notified',
  async run(environment) {
    const setup = await CampaignFaultSetup.open(environment);
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 0; round < RUNS; round++) {
      const zoneId = await setup.createZone(MEMBERS);
      await setup.server.stop();
      const id = await setup.sendCampaign(zoneId);
      const email = `waiting.${round}@example.com`;
      await setup.owner.call('POST', '/api/send-verification', { email });
      const secondsUntilNotified = await secondsUntil(
        async () => (await fetchProgress(setup, id)).mailServerRefusingSince !== null,
        DOWNTIME_MS / 1000,
      );
      if (secondsUntilNotified === null) result.stuck++;
      await new Promise((resolve) => setTimeout(resolve, DOWNTIME_MS - (secondsUntilNotified ?? 0) * 1000));
      await setup.server.start();
      const recipients = await setup.listRecipients(id);
      const isDelivered = () =>
        [email, ...recipients].every((address) => setup.server.messageIdsOf(address).length > 0);
      const seconds = await secondsUntil(isDelivered, 120);
      if (seconds === null) result.stuck++;
      result.seconds = Math.max(result.seconds, seconds ?? 120);
      const { lost, duplicated } = await setup.countLostAndDuplicated(id);
      result.lost += lost;
      result.duplicated += duplicated;
    }
    return result;
  },
};

const fetchProgress = async (setup, id) => (await setup.owner.call('GET', `/api/campaigns/${id}/progress`)).json();

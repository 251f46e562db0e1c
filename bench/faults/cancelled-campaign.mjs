import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { CampaignFaultSetup } from '../lib/faults/campaign-fault-setup.mjs';

const RUNS = 8;
const MEMBERS = 20_000;

/** A campaign is cancelled while it is sending: the request succeeds and sending stops. */
export default {
  name: 'a campaign of 20,000 is cancelled while it is sent',
  previousBehaviour: '8 of 8 answered 409 while sending went on',
  async run(environment) {
    const setup = await CampaignFaultSetup.open(environment);
    const zoneId = await setup.createZone(MEMBERS);
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 0; round < RUNS; round++) {
      setup.server.messageIds.clear();
      const receivedBefore = setup.server.received;
      const id = await setup.sendCampaign(zoneId);
      await secondsUntil(() => setup.server.received > receivedBefore + 500);
      const startedAt = performance.now();
      await setup.owner.call('POST', `/api/campaigns/${id}/cancel`).catch(() => result.stuck++);
      const responseSeconds = (performance.now() - startedAt) / 1000;
      let lastReceived = -1;
      const secondsUntilStopped = await secondsUntil(async () => {
        const isUnchanged = setup.server.received === lastReceived;
        lastReceived = setup.server.received;
        await new Promise((resolve) => setTimeout(resolve, 1000));
        return isUnchanged;
      });
      if (secondsUntilStopped === null || setup.server.received - receivedBefore >= MEMBERS) result.stuck++;
      // The last second, in which no more emails arrived, isn't counted.
      result.seconds = Math.max(result.seconds, responseSeconds + Math.max(0, (secondsUntilStopped ?? 60) - 2));
      result.duplicated += (await setup.countLostAndDuplicated(id)).duplicated;
      const delivered = await setup.listRecipients(id, 'delivered');
      result.lost += delivered.filter((address) => setup.server.messageIdsOf(address).length === 0).length;
    }
    return result;
  },
};

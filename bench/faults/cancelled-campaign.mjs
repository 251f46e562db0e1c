import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { FaultCampaigns } from '../lib/faults/campaign-fault-setup.mjs';

const TIMES = 8;
const MEMBERS = 20_000;

/** A campaign is cancelled while it is sending: the request succeeds and sending stops. */
export default {
  name: 'a campaign of 20,000 is cancelled while it is sent',
  before: '8 of 8 answered 409 while sending went on',
  async run(room) {
    const world = await FaultCampaigns.open(room);
    const zoneId = await world.zone(MEMBERS);
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 0; at < TIMES; at++) {
      world.server.mails.clear();
      const before = world.server.taken;
      const id = await world.send(zoneId);
      await secondsUntil(() => world.server.taken > before + 500);
      const begun = performance.now();
      await world.owner.call('POST', `/api/campaigns/${id}/cancel`).catch(() => result.stuck++);
      const answered = (performance.now() - begun) / 1000;
      let last = -1;
      const rest = await secondsUntil(async () => {
        const still = world.server.taken === last;
        last = world.server.taken;
        await new Promise((resume) => setTimeout(resume, 1000));
        return still;
      });
      if (rest === null || world.server.taken - before >= MEMBERS) result.stuck++;
      // The second of silence that detects the end isn't counted.
      result.seconds = Math.max(result.seconds, answered + Math.max(0, (rest ?? 60) - 2));
      result.doubled += (await world.outcome(id)).doubled;
      const delivered = await world.recipients(id, 'delivered');
      result.lost += delivered.filter((address) => world.server.to(address).length === 0).length;
    }
    return result;
  },
};

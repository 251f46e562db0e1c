import { secondsUntil } from '../lib/faults/fault-environment.mjs';
import { FaultCampaigns } from '../lib/faults/campaign-fault-setup.mjs';

const TIMES = 2;
const MEMBERS = 300;
/** How long the mail server is down each time, in milliseconds. */
const AWAY = 15_000;

/** The mail server goes down while a campaign is sent and a user requests a code, and comes back. */
export default {
  name: 'the mail server is away for 15 seconds',
  before: 'held already, and nobody was told',
  async run(room) {
    const world = await FaultCampaigns.open(room);
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 0; at < TIMES; at++) {
      const zoneId = await world.zone(MEMBERS);
      await world.server.away();
      const id = await world.send(zoneId);
      const email = `waiting.${at}@example.com`;
      await world.owner.call('POST', '/api/send-verification', { email });
      const told = await secondsUntil(
        async () => (await progress(world, id)).mailServerRefusingSince !== null,
        AWAY / 1000,
      );
      if (told === null) result.stuck++;
      await new Promise((resume) => setTimeout(resume, AWAY - (told ?? 0) * 1000));
      await world.server.open();
      const all = await world.recipients(id);
      const here = () => [email, ...all].every((address) => world.server.to(address).length > 0);
      const seconds = await secondsUntil(here, 120);
      if (seconds === null) result.stuck++;
      result.seconds = Math.max(result.seconds, seconds ?? 120);
      const { lost, doubled } = await world.outcome(id);
      result.lost += lost;
      result.doubled += doubled;
    }
    return result;
  },
};

const progress = async (world, id) => (await world.owner.call('GET', `/api/campaigns/${id}/progress`)).json();

import { addUp, FaultLink } from '../lib/faults/database-fault-setup.mjs';

const TIMES = 2;

/** Open connections go silent; new ones reach the database at once. */
export default {
  name: 'the database fails over without a word',
  before: 'the worker did nothing for 942 seconds',
  async run(room) {
    const link = await FaultLink.open(room);
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 0; at < TIMES; at++) addUp(result, await link.fall(0, `back.${at}@example.com`));
    return result;
  },
};

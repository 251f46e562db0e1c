import { addUp, FaultLink } from '../lib/faults/database-fault-setup.mjs';

const TIMES = 2;

/** The connection to the database goes silent without being closed; then new connections work again. */
export default {
  name: 'the link to the database is silent for 60 seconds',
  before: 'two web processes stood still for 50 seconds',
  async run(room) {
    const link = await FaultLink.open(room);
    const result = { times: TIMES, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 0; at < TIMES; at++) addUp(result, await link.fall(60_000, `back.${at}@example.com`));
    return result;
  },
};

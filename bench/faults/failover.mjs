import { addResult, DatabaseFaultSetup } from '../lib/faults/database-fault-setup.mjs';

const RUNS = 2;

/** Open connections are frozen; new ones reach the database at once. */
export default {
  name: 'the database fails over silently',
  previousBehaviour: 'the worker did nothing for 942 seconds',
  async run(environment) {
    const setup = await DatabaseFaultSetup.open(environment);
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 0; round < RUNS; round++)
      addResult(result, await setup.freezeAndFailOver(0, `back.${round}@example.com`));
    return result;
  },
};

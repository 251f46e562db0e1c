import { addResult, DatabaseFaultSetup } from '../lib/faults/database-fault-setup.mjs';

const RUNS = 2;

/** The connections to the database are frozen without being closed for 60 seconds; then new connections work again. */
export default {
  name: 'the connection to the database is silent for 60 seconds',
  previousBehaviour: 'two web processes hung for 50 seconds',
  async run(environment) {
    const setup = await DatabaseFaultSetup.open(environment);
    const result = { runs: RUNS, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 0; round < RUNS; round++)
      addResult(result, await setup.freezeAndFailOver(60_000, `back.${round}@example.com`));
    return result;
  },
};

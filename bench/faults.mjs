import { readdirSync } from 'node:fs';
import { FaultEnvironment } from './lib/faults/fault-environment.mjs';
import { createResultsTable } from './lib/faults/results-table.mjs';

/**
 * `npm run bench:faults -- [fault …]`: injects faults into the built product and prints a table: fault, runs, what was
 * lost, duplicated or stuck, and the seconds until recovery. Each file of `bench/faults` is one fault. File names
 * without extension as arguments run only those. Exits with 1 if anything was lost, duplicated or stuck. Default export
 * of a file:
 * - `name`: the fault, in a few words
 * - `previousBehaviour`: what it caused before it was fixed, in a few words
 * - `run`: async (environment) => { runs, lost, duplicated, stuck, seconds }: counts over all runs, and the longest
 *   recovery in seconds. `environment` provides folders and processes, which are cleaned up afterwards.
 */
const requestedNames = process.argv.slice(2);
const names = readdirSync(new URL('./faults/', import.meta.url))
  .map((file) => file.replace(/\.mjs$/, ''))
  .filter((name) => requestedNames.length === 0 || requestedNames.includes(name))
  .sort();
const unknownNames = requestedNames.filter((name) => !names.includes(name));
if (unknownNames.length > 0 || names.length === 0) {
  console.error(`Unknown fault: ${unknownNames.join(', ')}`);
  process.exit(2);
}

const table = createResultsTable();
let succeeded = true;
for (const name of names) {
  const { default: fault } = await import(`./faults/${name}.mjs`);
  const environment = new FaultEnvironment();
  try {
    const result = await fault.run(environment);
    table.printResult(fault, result);
    succeeded &&= result.lost + result.duplicated + result.stuck === 0;
  } catch (error) {
    table.printError(fault, error);
    succeeded = false;
  } finally {
    await environment.close();
  }
}
process.exit(succeeded ? 0 : 1);

import { readdirSync } from 'node:fs';
import { faultTable } from './lib/faults/results-table.mjs';
import { FaultRoom } from './lib/faults/fault-environment.mjs';

/**
 * `npm run bench:faults`: injects faults into the built product and prints a table: fault, repetitions, what was lost,
 * doubled or stuck, and the seconds until recovery. Each file of `bench/faults` is one fault; file names as arguments
 * run only those. Exits with 1 if anything was lost, doubled or stuck. The default export of a file:
 * - `name`: the fault, in a few words
 * - `before`: what it caused before it was fixed, in a few words
 * - `run`: async (room) => { times, lost, doubled, stuck, seconds }: counts over all repetitions, and the longest
 *   recovery in seconds. `room` provides folders and processes, which are cleaned up afterwards.
 */
const wanted = process.argv.slice(2);
const names = readdirSync(new URL('./faults/', import.meta.url))
  .map((file) => file.replace(/\.mjs$/, ''))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort();
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0 || names.length === 0) {
  console.error(`There is no such fault: ${unknown.join(', ')}`);
  process.exit(2);
}

const table = faultTable();
let sound = true;
for (const name of names) {
  const { default: fault } = await import(`./faults/${name}.mjs`);
  const room = new FaultRoom();
  try {
    const result = await fault.run(room);
    table.row(fault, result);
    sound &&= result.lost + result.doubled + result.stuck === 0;
  } catch (error) {
    table.broken(fault, error);
    sound = false;
  } finally {
    await room.close();
  }
}
process.exit(sound ? 0 : 1);

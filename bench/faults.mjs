import { readdirSync } from 'node:fs';
import { faultTable } from './lib/faults/fault-table.mjs';
import { FaultRoom } from './lib/faults/fault-room.mjs';

/**
 * `npm run bench:faults`: does to the built product what happens to installations, and prints a table: fault, times, what
 * was lost, doubled or stuck, and the seconds until it worked again. Each file of `bench/faults` is one fault; names of
 * files as arguments run only these. Ends with 1 when anything was lost, doubled or stuck.
 *
 * A file exports by default:
 *   name     what happens, in a few words
 *   before   what it did before it was mended, in a few words
 *   run      async (room) => { times, lost, doubled, stuck, seconds }: counts over all times, and the longest time in
 *            seconds until everything worked again. `room` gives folders and programs that are gone afterwards.
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

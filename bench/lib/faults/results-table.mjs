const COLUMNS = [
  ['fault', 46],
  ['times', 6],
  ['lost', 6],
  ['doubled', 8],
  ['stuck', 6],
  ['seconds', 8],
];

/** Prints rows below a header: the fault, repetitions and results. */
export function faultTable() {
  console.log(line(COLUMNS.map(([name]) => name)) + ' | before');
  return {
    row({ name, before }, { times, lost, doubled, stuck, seconds }) {
      console.log(`${line([name, times, lost, doubled, stuck, seconds.toFixed(1)])} | ${before}`);
    },
    broken({ name }, error) {
      console.log(`${line([name, '-', '-', '-', '-', '-'])} | NOT MEASURED: ${error.stack}`);
    },
  };
}

const line = (cells) =>
  cells
    .map((cell, at) => (at === 0 ? String(cell).padEnd(COLUMNS[at][1]) : String(cell).padStart(COLUMNS[at][1])))
    .join(' | ');

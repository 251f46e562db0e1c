const COLUMNS = [
  ['fault', 55],
  ['runs', 6],
  ['lost', 6],
  ['duplicated', 10],
  ['stuck', 6],
  ['seconds', 8],
];

/** Prints the header of the table; the returned functions print a row of results, or the error of a fault. */
export function createResultsTable() {
  console.log(formatRow(COLUMNS.map(([name]) => name)) + ' | before the fix');
  return {
    printResult({ name, previousBehaviour }, { runs, lost, duplicated, stuck, seconds }) {
      console.log(`${formatRow([name, runs, lost, duplicated, stuck, seconds.toFixed(1)])} | ${previousBehaviour}`);
    },
    printError({ name }, error) {
      console.log(`${formatRow([name, '-', '-', '-', '-', '-'])} | NOT MEASURED: ${error.stack}`);
    },
  };
}

const formatRow = (cells) =>
  cells
    .map((cell, index) =>
      index === 0 ? String(cell).padEnd(COLUMNS[index][1]) : String(cell).padStart(COLUMNS[index][1]),
    )
    .join(' | ');

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sizesOf } from './lib/stats/source-sizes.mjs';

/**
 * `npm run house`: size of the source by part, without specs. `--walk` also counts which module files an upload, a join
 * by link and a delivery execute in the built product; `--walk=names` lists them.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
process.chdir(root);

const COLUMNS = ['files', 'lines', 'median', 'largest', 'rooms', 'fullest'];
/** Suffixes of files with behaviour; the others are declarations (entities, DTOs, errors) or pure helpers. */
const ACTS = /\.(controller|service|guard|queries|jobs|strategy|interceptor)$/;

function printSizes() {
  const parts = sizesOf([
    'backend/src/modules',
    'backend/src/platform',
    'frontend/src/features',
    'frontend/src',
  ]).filter(({ part }) => part !== 'frontend/src/features');
  const row = (name, values) =>
    console.log(name.padEnd(40) + values.map((value) => String(value).padStart(9)).join(''));
  row('part', COLUMNS);
  for (const part of parts)
    row(
      part.part,
      COLUMNS.map((column) => part[column]),
    );
  const sum = (column) => parts.reduce((all, part) => all + part[column], 0);
  const most = (column) => Math.max(...parts.map((part) => part[column]));
  row('all', [sum('files'), sum('lines'), '', most('largest'), sum('rooms'), most('fullest')]);
}

async function printWays(isNamed) {
  if (!existsSync(`${root}dist/backend/src/main.js`)) throw new Error('Build first: npm run build');
  const [{ Walk }, { Ways }] = await Promise.all([import('./lib/stats/traced-app.mjs'), import('./lib/stats/traced-flows.mjs')]);
  const walk = await Walk.open();
  try {
    for (const [way, files] of Object.entries(await new Ways(walk).crossed())) {
      const acting = files.filter((file) => ACTS.test(file));
      console.log(`${way} crosses ${files.length} files of modules, ${acting.length} of which act`);
      if (isNamed) for (const file of [...files].sort()) console.log(`  ${ACTS.test(file) ? '*' : ' '} ${file}`);
    }
  } finally {
    await walk.close();
  }
}

printSizes();
const walk = process.argv.slice(2).find((argument) => argument.startsWith('--walk'));
if (walk !== undefined) {
  console.log('');
  await printWays(walk === '--walk=names');
}

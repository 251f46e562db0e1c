import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measureParts } from './lib/stats/source-sizes.mjs';

/**
 * `npm run stats`: size of the source by part, without specs. `npm run stats -- --trace` also counts which module files
 * an upload, a join by link and a delivery execute in the built product; `--trace=files` lists them.
 */
const root = fileURLToPath(new URL('../', import.meta.url));
process.chdir(root);

const COLUMNS = {
  files: 'files',
  lines: 'lines',
  median: 'median',
  largest: 'largest',
  folders: 'folders',
  maxEntries: 'entries',
};
/** Suffixes of files with behaviour; the others are declarations (entities, DTOs, errors) or pure helpers. */
const BEHAVIOUR = /\.(controller|service|guard|queries|jobs|strategy|interceptor)$/;

function printSizes() {
  const parts = measureParts([
    'backend/src/modules',
    'backend/src/platform',
    'frontend/src/features',
    'frontend/src',
  ]).filter(({ part }) => part !== 'frontend/src/features');
  const printRow = (name, values) =>
    console.log(name.padEnd(40) + values.map((value) => String(value).padStart(9)).join(''));
  printRow('part', Object.values(COLUMNS));
  for (const part of parts)
    printRow(
      part.part,
      Object.keys(COLUMNS).map((column) => part[column]),
    );
  const sum = (column) => parts.reduce((total, part) => total + part[column], 0);
  const max = (column) => Math.max(...parts.map((part) => part[column]));
  printRow('total', [sum('files'), sum('lines'), '', max('largest'), sum('folders'), max('maxEntries')]);
}

async function printTrace(listsFiles) {
  if (!existsSync(`${root}dist/backend/src/main.js`)) throw new Error('Build first: npm run build');
  const [{ TracedApp }, { TracedFlows }] = await Promise.all([
    import('./lib/stats/traced-app.mjs'),
    import('./lib/stats/traced-flows.mjs'),
  ]);
  const app = await TracedApp.open();
  try {
    for (const [flow, files] of Object.entries(await new TracedFlows(app).traceFlows())) {
      const withBehaviour = files.filter((file) => BEHAVIOUR.test(file));
      console.log(`${flow} executes ${files.length} module files, ${withBehaviour.length} of them with behaviour (*)`);
      if (listsFiles)
        for (const file of [...files].sort()) console.log(`  ${BEHAVIOUR.test(file) ? '*' : ' '} ${file}`);
    }
  } finally {
    await app.close();
  }
}

printSizes();
const traceOption = process.argv.slice(2).find((argument) => argument.startsWith('--trace'));
if (traceOption !== undefined) {
  console.log('');
  await printTrace(traceOption === '--trace=files');
}

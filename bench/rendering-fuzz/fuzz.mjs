import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/product.mjs';
import { damageFile, createRandom } from './damage.mjs';
import { RenderingHarness, renderWithoutProcess } from './rendering-harness.mjs';
import { findSamples, createSamples } from './samples.mjs';

/**
 * `npm run fuzz:rendering -- [seed] [files] [FOLDER …]`: damages PDFs and images from packages, given folders and generated
 * samples, and renders them as the product does, in its rendering process. The same seed causes the same damage;
 * `FUZZ_KEEP` names a folder for files that ended the process. `npm run fuzz:rendering -- --corpus FOLDER …`: renders the
 * files below folders unchanged, including Office documents, and the same pages once more by the engine alone;
 * `FUZZ_LIST` names a file for the results.
 */
const args = process.argv.slice(2);
const isCorpus = args[0] === '--corpus';
const seed = isCorpus ? null : Number(args[0] ?? 1);
const fileCount = isCorpus ? null : Number(args[1] ?? 500);
if (!isCorpus && !(Number.isInteger(seed) && Number.isInteger(fileCount) && fileCount > 0))
  throw new Error('Arguments: a seed and a number of files, or --corpus and folders.');
/** Maximum number of samples from packages, besides the generated ones. */
const MAX_SAMPLES = 300;
const MIB = 2 ** 20;

const files = isCorpus ? findSamples(args.slice(1), { withOffice: true }) : createDamagedFiles(await collectSamples());
const harness = await RenderingHarness.open();
const startedAt = performance.now();
const results = [];
try {
  for (const file of files) {
    const before = countProcessExits();
    const result = await harness.render(file);
    results.push({ ...file, ...result, bytes: undefined });
    if (countProcessExits() > before) saveFile(file, result, results.length);
  }
  reportResults(performance.now() - startedAt);
} finally {
  await harness.close();
}
if (isCorpus) {
  writeResults();
  await reportEngineComparison();
}

async function collectSamples() {
  const packages = ['node_modules', 'backend/test/support/samples'].map((name) => join(root, name));
  return [...(await createSamples()), ...findSamples(packages, { limit: MAX_SAMPLES }), ...findSamples(args.slice(2))];
}

function createDamagedFiles(samples) {
  const random = createRandom(seed);
  const documents = samples.filter(({ format }) => format === 'pdf');
  return Array.from({ length: fileCount }, (_, index) => {
    // Damaged images are mostly rejected at once; PDFs are far more complex, so they are chosen more often.
    const candidates = index % 3 === 0 ? samples : documents;
    const sample = candidates[random(candidates.length)];
    const { bytes, applied: damage } = damageFile(sample.bytes, random);
    return { path: `${sample.path} (${damage})`, format: sample.format, bytes };
  }).filter(({ bytes }) => bytes.length > 0);
}

function countProcessExits() {
  return Object.values(harness.processExits).reduce((sum, value) => sum + value, 0);
}

/** Reports a file that ended the rendering process, and saves it if `FUZZ_KEEP` is set. */
function saveFile({ path, format, bytes }, { reason }, number) {
  console.log(`ended the rendering process: file ${number}, ${path}: ${reason ?? 'rendered by the next process'}`);
  const folder = process.env.FUZZ_KEEP;
  if (!folder) return;
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${seed ?? 'corpus'}-${number}.${format}`), bytes);
}

function reportResults(milliseconds) {
  const rendered = results.filter(({ pages }) => pages > 0);
  const failures = Map.groupBy(
    results.filter(({ pages }) => pages === 0),
    ({ reason }) => reason,
  );
  const rejected = [...failures].map(([reason, files]) => `${files.length} ${reason}`).join(', ') || 'none';
  const { late, starved, killed, memory, other } = harness.processExits;
  const percentage = ((100 * rendered.length) / results.length).toFixed(1);
  console.log(isCorpus ? `${results.length} unchanged files` : `seed ${seed}: ${results.length} damaged files`);
  for (const [format, files] of Map.groupBy(results, (file) => file.format))
    console.log(`  ${format}: ${files.filter(({ pages }) => pages > 0).length} of ${files.length}`);
  console.log(`rendered: ${rendered.length} (${percentage} %)`);
  console.log(`rejected: ${rejected}`);
  console.log(
    `rendering processes ended: ${late} late, ${memory} out of memory, ${starved + killed} starved or killed, ${other} otherwise`,
  );
  const firstPageTimes = rendered.map(({ first }) => first).sort((a, b) => a - b);
  const seconds = (quantile) =>
    (
      (firstPageTimes[Math.min(firstPageTimes.length - 1, Math.floor(firstPageTimes.length * quantile))] ?? 0) / 1000
    ).toFixed(3);
  console.log(`first page: median ${seconds(0.5)} s, 99th percentile ${seconds(0.99)} s`);
  const pages = results.reduce((sum, file) => sum + file.pages, 0);
  console.log(
    `${pages} pages in ${(milliseconds / 1000).toFixed(1)} s: ${((1000 * pages) / milliseconds).toFixed(1)} per second`,
  );
  console.log(`peak memory of the rendering process: ${(harness.peakBytes / MIB).toFixed(0)} MB`);
}

/** Writes the result of each file, if `FUZZ_LIST` is set. */
function writeResults() {
  const file = process.env.FUZZ_LIST;
  if (!file) return;
  const lines = results.map(({ path, format, pages, reason, all }) =>
    [format, pages, reason ?? 'rendered', all.toFixed(0), path].join('\t'),
  );
  writeFileSync(file, lines.sort().join('\n') + '\n');
}

/** Renders the same pages with the engine alone, and compares the rate with the product's. */
async function reportEngineComparison() {
  // Files that are rejected or end the process can't be compared.
  const comparable = results.filter(({ reason, pages, office }) => reason === null && pages > 0 && !office);
  const { pages, milliseconds } = await renderWithoutProcess(comparable);
  const productMilliseconds = comparable.reduce((sum, { all }) => sum + all, 0);
  const rate = (duration) => ((1000 * pages) / duration).toFixed(1);
  console.log(
    `${pages} pages of ${comparable.length} files: product ${rate(productMilliseconds)} pages per second, engine alone ${rate(milliseconds)}`,
  );
}

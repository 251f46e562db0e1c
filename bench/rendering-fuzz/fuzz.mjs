import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/product.mjs';
import { damaged, randomOf } from './damage.mjs';
import { Desk, drawAlone } from './rendering-harness.mjs';
import { found, made } from './samples.mjs';

/**
 * `npm run fuzz:pages -- [seed] [files] [FOLDER …]`: damages PDFs and images from packages, given folders and generated
 * samples, and renders them like the product, in its rendering process. The same seed causes the same damage;
 * `FUZZ_KEEP` names a folder for files that ended the process. `npm run fuzz:pages -- --corpus FOLDER …`: renders the
 * files below folders unchanged, including Office documents, and the same pages once more by the engine alone;
 * `FUZZ_LIST` names a file for the results.
 */
const args = process.argv.slice(2);
const isCorpus = args[0] === '--corpus';
const seed = isCorpus ? null : Number(args[0] ?? 1);
const count = isCorpus ? null : Number(args[1] ?? 500);
if (!isCorpus && !(Number.isInteger(seed) && Number.isInteger(count) && count > 0))
  throw new Error('Give a seed and a number of files, or --corpus and folders.');
/** Most samples from packages, besides the generated ones. */
const SAMPLES = 300;
const MIB = 2 ** 20;

const files = isCorpus ? found(args.slice(1), { withOffice: true }) : toDamage(await samples());
const desk = await Desk.open();
const begun = performance.now();
const done = [];
try {
  for (const file of files) {
    const before = ended();
    const result = await desk.draw(file);
    done.push({ ...file, ...result, bytes: undefined });
    if (ended() > before) keep(file, result, done.length);
  }
  tell(performance.now() - begun);
} finally {
  await desk.close();
}
if (isCorpus) {
  list();
  await tellAlone();
}

async function samples() {
  const packages = ['node_modules', 'backend/test/support/samples'].map((name) => join(root, name));
  return [...(await made()), ...found(packages, { most: SAMPLES }), ...found(args.slice(2))];
}

function toDamage(whole) {
  const random = randomOf(seed);
  const documents = whole.filter(({ format }) => format === 'pdf');
  return Array.from({ length: count }, (_, at) => {
    // Damaged images are mostly rejected at once; PDFs are far more complex, so they are chosen more often.
    const of = at % 3 === 0 ? whole : documents;
    const sample = of[random(of.length)];
    const { bytes, done: what } = damaged(sample.bytes, random);
    return { path: `${sample.path} (${what})`, format: sample.format, bytes };
  }).filter(({ bytes }) => bytes.length > 0);
}

function ended() {
  return Object.values(desk.killed).reduce((sum, one) => sum + one, 0);
}

/** Reports a file that ended the process, and keeps it if `FUZZ_KEEP` is set. */
function keep({ path, format, bytes }, { reason }, number) {
  console.log(`ended the process: file ${number}, ${path}: ${reason ?? 'shown by the next one'}`);
  const folder = process.env.FUZZ_KEEP;
  if (!folder) return;
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${seed ?? 'corpus'}-${number}.${format}`), bytes);
}

function tell(spent) {
  const shown = done.filter(({ pages }) => pages > 0);
  const reasons = Map.groupBy(
    done.filter(({ pages }) => pages === 0),
    ({ reason }) => reason,
  );
  const refused = [...reasons].map(([reason, of]) => `${of.length} ${reason}`).join(', ') || 'none';
  const { late, memory, other } = desk.killed;
  const share = ((100 * shown.length) / done.length).toFixed(1);
  console.log(isCorpus ? `${done.length} files as they are` : `seed ${seed}: ${done.length} damaged files`);
  for (const [format, of] of Map.groupBy(done, (file) => file.format))
    console.log(`  ${format}: ${of.filter(({ pages }) => pages > 0).length} of ${of.length}`);
  console.log(`shown: ${shown.length} (${share} %)`);
  console.log(`refused: ${refused}`);
  console.log(`processes ended: ${late} late, ${memory} out of memory, ${other} otherwise`);
  const firsts = shown.map(({ first }) => first).sort((one, another) => one - another);
  const seconds = (part) =>
    ((firsts[Math.min(firsts.length - 1, Math.floor(firsts.length * part))] ?? 0) / 1000).toFixed(3);
  console.log(`first page: median ${seconds(0.5)} s, 99 % ${seconds(0.99)} s`);
  const pages = done.reduce((sum, file) => sum + file.pages, 0);
  console.log(`${pages} pages in ${(spent / 1000).toFixed(1)} s: ${((1000 * pages) / spent).toFixed(1)} a second`);
  console.log(`memory of the process that draws: at most ${(desk.peak / MIB).toFixed(0)} MB`);
}

/** Writes what wasn't rendered and why, if `FUZZ_LIST` is set. */
function list() {
  const file = process.env.FUZZ_LIST;
  if (!file) return;
  const lines = done.map(({ path, format, pages, reason, all }) =>
    [format, pages, reason ?? 'drawn', all.toFixed(0), path].join('\t'),
  );
  writeFileSync(file, lines.sort().join('\n') + '\n');
}

/** The same pages by the engine alone, compared with the product's time for exactly those. */
async function tellAlone() {
  // Files that are rejected or end the process can't be compared.
  const well = done.filter(({ reason, pages, office }) => reason === null && pages > 0 && !office);
  const { pages, spent } = await drawAlone(well);
  const product = well.reduce((sum, { all }) => sum + all, 0);
  const rate = (milliseconds) => ((1000 * pages) / milliseconds).toFixed(1);
  console.log(
    `of ${well.length} files, ${pages} pages: the product ${rate(product)} a second, the engine alone ${rate(spent)}`,
  );
}

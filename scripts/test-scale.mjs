import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jest } from './lib/proof/jest.mjs';
import { isEnough } from './lib/node.mjs';
import { prepare } from './lib/prepare.mjs';
import { inProject, main, say } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { startScaled } from './lib/scaled-product.mjs';
import { findChromium } from './lib/services.mjs';
import { runStages, Skipped } from './lib/proof/stages.mjs';

/**
 * `npm run test:scale`: runs the suites that use only HTTP, and some end-to-end tests, against two web and two worker
 * processes on one PostgreSQL (and one Redis, if there is a server), behind a round-robin proxy. Not part of `npm
 * test`. Arguments select suites.
 */
const names = [
  ...['auth', 'accounts-sessions', 'accounts-password', 'accounts-profile', 'accounts-tokens', 'bad-input'],
  ...['files', 'files-folders', 'files-moves', 'files-search', 'files-trash', 'files-tus', 'files-upload', 'files-zip'],
  ...['invitations-acceptance', 'invitations', 'links', 'temporary-links', 'temporary-joins'],
  ...['zones', 'zones-change', 'zones-import', 'zones-leaving', 'zones-members'],
];
const tests = inProject('backend/test/e2e');
const suites = readdirSync(tests, { recursive: true })
  .filter((path) => names.includes(basename(path, '.spec.ts')))
  .map((path) => join(tests, path));
const journeys = ['newcomer', 'main-job', 'uploads'];
const chosen = process.argv.slice(2);
/** Every process must get at least this share of the requests. */
const FAIR = 0.3;

function overHttp(node, env) {
  // Two at a time, because four server processes and their database run on the same machine.
  const paths = chosen.length > 0 ? chosen : suites;
  return jest(node, ['--selectProjects', 'backend', '--maxWorkers', '2', '--runTestsByPath', ...paths], { env });
}

async function browser(node, env) {
  const chromium = findChromium();
  if (chosen.length > 0) return new Skipped('only chosen suites');
  if (!chromium) return new Skipped('no Chromium was found');
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'frontend/e2e/playwright.config.ts'];
  return run(node, [...args, ...journeys], { env: { ...env, CHROMIUM_PATH: chromium } });
}

async function spread({ given }) {
  const counts = [...given.values()];
  const total = counts.reduce((sum, count) => sum + count, 0);
  say(`requests to each web process: ${counts.join(', ')}`);
  return counts.length > 1 && counts.every((count) => count / total >= FAIR) ? 0 : 1;
}

await main(async () => {
  const node = await prepare(['backend', 'frontend']);
  // This process starts the database, which needs the server's Node version.
  if (!isEnough(process.versions.node)) return run(node, process.argv.slice(1));
  const product = await startScaled({ node, web: 2, workers: 2, env: {} });
  say(`2 web, 2 worker processes at ${product.url}, ${product.redis ? 'with' : 'without'} Redis`);
  const env = { ...process.env, E2E_BASE_URL: product.url, E2E_DATA_DIR: product.dataDir };
  try {
    return await runStages([
      { name: 'http', run: () => overHttp(node, env) },
      { name: 'browser', run: () => browser(node, env) },
      { name: 'spread', run: () => spread(product) },
    ]);
  } finally {
    await product.stop();
  }
});

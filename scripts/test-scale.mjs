import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runJest } from './lib/test-runner/jest.mjs';
import { isNodeSupported } from './lib/find-node.mjs';
import { installAndBuild } from './lib/install-and-build.mjs';
import { log, projectPath, runMain } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { startScaledDeployment } from './lib/scaled-deployment.mjs';
import { findChromium } from './lib/find-programs.mjs';
import { runStages, Skipped } from './lib/test-runner/stages.mjs';

/**
 * `npm run test:scale`: runs the suites that use only HTTP, and some end-to-end tests, against two web and two worker
 * processes on one PostgreSQL (and one Redis, if there is a server), behind a round-robin proxy. Not part of `npm
 * test`. Arguments select suites.
 */
const suiteNames = [
  ...['auth', 'accounts-sessions', 'accounts-password', 'accounts-profile', 'accounts-tokens', 'bad-input'],
  ...['files', 'files-folders', 'files-moves', 'files-search', 'files-trash', 'files-tus', 'files-upload', 'files-zip'],
  ...['invitations-acceptance', 'invitations', 'links', 'temporary-links', 'temporary-joins'],
  ...['zones', 'zones-change', 'zones-import', 'zones-leaving', 'zones-members'],
];
const suiteFolder = projectPath('backend/test/e2e');
const httpSuites = readdirSync(suiteFolder, { recursive: true })
  .filter((path) => suiteNames.includes(basename(path, '.spec.ts')))
  .map((path) => join(suiteFolder, path));
const endToEndTests = ['join-by-email', 'share-and-join', 'uploads'];
const selectedSuites = process.argv.slice(2);
/** Every process must get at least this share of the requests. */
const MIN_SHARE = 0.3;

function runHttpSuites(node, env) {
  // Two at a time, because four server processes and their database run on the same machine.
  const paths = selectedSuites.length > 0 ? selectedSuites : httpSuites;
  return runJest(node, ['--selectProjects', 'backend', '--maxWorkers', '2', '--runTestsByPath', ...paths], { env });
}

async function runBrowserTests(node, env) {
  const chromium = findChromium();
  if (selectedSuites.length > 0) return new Skipped('only the selected suites run');
  if (!chromium) return new Skipped('no Chromium was found');
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'frontend/e2e/playwright.config.ts'];
  return run(node, [...args, ...endToEndTests], { env: { ...env, CHROMIUM_PATH: chromium } });
}

async function checkDistribution({ requestCounts }) {
  const counts = [...requestCounts.values()];
  const total = counts.reduce((sum, count) => sum + count, 0);
  log(`requests to each web process: ${counts.join(', ')}`);
  return counts.length > 1 && counts.every((count) => count / total >= MIN_SHARE) ? 0 : 1;
}

await runMain(async () => {
  const node = await installAndBuild(['backend', 'frontend']);
  // This process starts the database, which needs the server's Node version.
  if (!isNodeSupported(process.versions.node)) return run(node, process.argv.slice(1));
  const deployment = await startScaledDeployment({ node, web: 2, workers: 2, env: {} });
  log(`2 web, 2 worker processes at ${deployment.url}, ${deployment.hasRedis ? 'with' : 'without'} Redis`);
  const env = { ...process.env, E2E_BASE_URL: deployment.url, E2E_DATA_DIR: deployment.dataDir };
  try {
    return await runStages([
      { name: 'http', run: () => runHttpSuites(node, env) },
      { name: 'browser', run: () => runBrowserTests(node, env) },
      { name: 'distribution', run: () => checkDistribution(deployment) },
    ]);
  } finally {
    await deployment.stop();
  }
});

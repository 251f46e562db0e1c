import { availableParallelism, totalmem } from 'node:os';
import { installAndBuild } from './lib/install-and-build.mjs';
import { compileCache, log, projectPath, runMain } from './lib/project.mjs';
import { findBrowserEnv } from './lib/test-runner/browser-env.mjs';
import { runChecks } from './lib/test-runner/checks.mjs';
import { selectTests } from './lib/test-runner/selection.mjs';
import { runSuites } from './lib/test-runner/jest.mjs';
import { runEndToEndTests } from './lib/test-runner/end-to-end.mjs';
import { describeHost } from './lib/test-runner/host-info.mjs';
import { createTempDir } from './lib/test-runner/temp-dir.mjs';
import { runStages, Skipped } from './lib/test-runner/stages.mjs';
import { findChromium, findOffice, findRedis } from './lib/find-programs.mjs';

/**
 * `npm test`: runs all checks. Words (`npm test -- zones`) select suites and end-to-end tests by path, `--changed`
 * those for what has changed since main. Failed tests are retried once, alone, and are flaky if they pass then:
 * STRICT=1 makes that a failure. REQUIRE_SERVICES=1 makes a missing Chromium or Redis a failure; otherwise their suites
 * are skipped.
 */
const areServicesRequired = process.env.REQUIRE_SERVICES === '1';
const chromium = findChromium();

// The suites start the product about a hundred times.
process.env.NODE_COMPILE_CACHE ??= compileCache;

async function checkServices() {
  // LibreOffice is never required: its packages are large, and the code that reads its output is tested without it.
  if (!findOffice())
    log(
      'LibreOffice not found: the rendering of Office documents is not tested (apt-get install libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui)',
    );
  const missing = [...(chromium ? [] : ['Chromium']), ...(findRedis() ? [] : ['redis-server'])];
  if (missing.length === 0) return 0;
  const message = `${missing.join(' and ')} not found; on Debian: apt-get install chromium redis-server`;
  if (!areServicesRequired) return new Skipped(message);
  console.error(`REQUIRE_SERVICES=1, but ${message}`);
  return 1;
}

/** A Jest worker grows to about 1.3 GB. */
const BYTES_PER_WORKER = 2 * 2 ** 30;

/**
 * Suites wait a fifth of their time (for processes, locks, timeouts, debounces), and those that wait most run first: so
 * two more workers than cores.
 */
const maxWorkers = Math.max(1, Math.min(availableParallelism() + 2, Math.floor(totalmem() / BYTES_PER_WORKER)));
const workersFlag = `--maxWorkers=${maxWorkers}`;

async function runBrowserStage(node, abortSignal, paths) {
  const message =
    'no Chromium was found, so the page was not tested in a browser (apt-get install chromium, or CHROMIUM_PATH)';
  if (!chromium) return areServicesRequired ? Promise.reject(new Error(message)) : new Skipped(message);
  return runEndToEndTests(node, { ...process.env, ...findBrowserEnv() }, paths, abortSignal);
}

/**
 * The timeouts, in minutes, are about seven times what two idle cores need: a busy machine took three times as long.
 * They only end runs that hang.
 */
const createAllStages = (node) => [
  { name: 'services', minutes: 1, run: checkServices },
  { name: 'checks', minutes: 15, run: (abortSignal) => runChecks(node, null, abortSignal) },
  {
    name: 'backend',
    minutes: 60,
    run: (abortSignal) => runSuites(node, 'backend', ['--selectProjects', 'backend'], [workersFlag], { abortSignal }),
  },
  // Suites of server parts and scripts wait while the page's suites use the CPU.
  {
    name: 'frontend',
    minutes: 30,
    run: (abortSignal) =>
      runSuites(node, 'frontend', ['--selectProjects', 'scripts', 'parts', 'frontend'], [workersFlag], { abortSignal }),
  },
  { name: 'browser', minutes: 60, run: (abortSignal) => runBrowserStage(node, abortSignal) },
];

function createSelectedStages(node, { suites, endToEndTests, flags, changedFiles }) {
  const suiteArgs = [...flags, '--runTestsByPath', ...suites];
  const checks = { name: 'checks', minutes: 15, run: (abortSignal) => runChecks(node, changedFiles, abortSignal) };
  const suiteStage = {
    name: 'suites',
    minutes: 60,
    run: (abortSignal) => runSuites(node, 'suites', [], suiteArgs, { abortSignal }),
  };
  const browserStage = {
    name: 'browser',
    minutes: 60,
    run: (abortSignal) => runBrowserStage(node, abortSignal, endToEndTests),
  };
  return [
    ...(changedFiles ? [checks] : []),
    ...(suites.length > 0 ? [suiteStage] : []),
    ...(endToEndTests.length > 0 ? [browserStage] : []),
  ];
}

await runMain(async () => {
  const startedAt = performance.now();
  const selection = selectTests(process.argv.slice(2));
  const needsPage = chromium && (selection === null || selection.endToEndTests.length > 0);
  const node = await installAndBuild(needsPage ? ['backend', 'frontend'] : ['backend']);
  log(describeHost(node, chromium));
  const tempDir = createTempDir();
  const lastStage = { name: 'leftovers', minutes: 2, run: () => tempDir.checkLeftovers() };
  const stages = selection === null ? createAllStages(node) : createSelectedStages(node, selection);
  const code = await runStages([...stages, lastStage], projectPath('test-results'));
  log(`${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes in total`);
  return code;
});

import { availableParallelism } from 'node:os';
import { jest, serverSuites } from './lib/jest.mjs';
import { prepare } from './lib/prepare.mjs';
import { inProject, main, onWindows, say } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { findChromium, findHeadlessShell, findRedis } from './lib/services.mjs';
import { runStages, Skipped } from './lib/stages.mjs';

/**
 * `npm test`: everything that must hold, in one go. With arguments (`npm test -- zones`) only the Jest suites that they
 * name. REQUIRE_SERVICES=1 makes a missing Chromium or Redis a failure; without it their suites are left out.
 */
const required = process.env.REQUIRE_SERVICES === '1';
const chosen = process.argv.slice(2);
const chromium = findChromium();

// The suites start the product about a hundred times: what V8 compiled once need not be compiled each time.
process.env.NODE_COMPILE_CACHE ??= inProject('node_modules/.cache/compiled');

const npm = (script) => run('npm', ['run', '--silent', script], { shell: onWindows });

async function services() {
  const missing = [...(chromium ? [] : ['Chromium']), ...(findRedis() ? [] : ['redis-server'])];
  if (missing.length === 0) return 0;
  const sentence = `${missing.join(' and ')} not found; on Debian: apt-get install chromium redis-server`;
  if (!required) return new Skipped(sentence);
  console.error(`REQUIRE_SERVICES=1, but ${sentence}`);
  return 1;
}

/** Suites of the server wait a fifth of their time for processes, locks and limits: one more at a time than there are cores. */
const waiting = availableParallelism() + 1;

/** Style, the graph of modules and types: each takes one core, so they go side by side. */
async function checks() {
  const codes = await Promise.all(['lint', 'typecheck:backend', 'typecheck:frontend'].map(npm));
  return Math.max(...codes);
}

async function browser(node) {
  const sentence =
    'no Chromium was found, so the page was not tried in a browser (apt-get install chromium, or CHROMIUM_PATH)';
  if (!chromium) return required ? Promise.reject(new Error(sentence)) : new Skipped(sentence);
  await prepare(['frontend']);
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'frontend/e2e/playwright.config.ts'];
  const shell = findHeadlessShell();
  const browsers = { CHROMIUM_PATH: chromium, ...(shell && { CHROMIUM_SHELL_PATH: shell }) };
  return run(node, args, { env: { ...process.env, ...browsers } });
}

await main(async () => {
  const begun = performance.now();
  const node = await prepare(['backend']);
  if (chosen.length > 0) return jest(node, chosen);
  const code = await runStages([
    { name: 'services', run: services },
    { name: 'checks', run: checks },
    { name: 'scripts', run: () => jest(node, ['--selectProjects', 'scripts']) },
    { name: 'backend', run: () => jest(node, [...serverSuites, `--maxWorkers=${waiting}`]) },
    { name: 'frontend', run: () => jest(node, ['--selectProjects', 'frontend']) },
    { name: 'browser', run: () => browser(node) },
  ]);
  say(`${((performance.now() - begun) / 60_000).toFixed(1)} minutes in all`);
  return code;
});

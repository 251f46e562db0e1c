import { rmSync } from 'node:fs';
import { projectPath, projectRoot } from '../project.mjs';
import { runProcessGroup } from './process-group.mjs';
import { createPlaywrightReport } from './reports/playwright-report.mjs';
import { readJson } from './reports/report.mjs';
import { retryFailed } from './retry.mjs';

/**
 * Runs the end-to-end tests, then the failed ones once more, one after another.
 * @param node the Node.js that runs Playwright
 * @param env the environment: the browsers, and the product's URL if it is running
 * @param words only tests whose paths contain one of them; empty for all
 * @param abortSignal an AbortSignal that interrupts them; Playwright still reports which have not finished
 * @returns a stage's report (report.mjs); Playwright writes to `test-results/browser.json`
 */
export function runEndToEndTests(node, env, words = [], abortSignal) {
  const runOnce = async (name, args) => {
    const resultsFile = projectPath('test-results', `${name}.json`);
    rmSync(resultsFile, { force: true });
    const cli = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'frontend/e2e/playwright.config.ts'];
    const code = await runProcessGroup(node, [...cli, ...args], {
      env: { ...env, E2E_REPORT: resultsFile },
      abortSignal,
    });
    return createPlaywrightReport(code, readJson(resultsFile), projectRoot);
  };
  const runAlone = (failed) => runOnce('browser-retry', ['--workers=1', ...failed]);
  return runOnce('browser', words).then((first) =>
    abortSignal?.aborted ? first : retryFailed('browser', first, runAlone),
  );
}

import { rmSync } from 'node:fs';
import { inProject, root } from '../project.mjs';
import { runGroup } from './group.mjs';
import { journeysReport } from './reports/journeys-report.mjs';
import { readJson } from './reports/report.mjs';
import { tryAgain } from './try-again.mjs';

/**
 * Runs the end-to-end tests, then the failed ones once more, one after another.
 * @param node the Node.js that runs Playwright
 * @param env the environment: the browsers, and the product's URL if it is running
 * @param words only tests whose paths contain one of them; empty for all
 * @param limit an AbortSignal that interrupts them; Playwright still reports which have not finished
 * @returns a stage's report (report.mjs); Playwright writes to `test-results/browser.json`
 */
export function journeys(node, env, words = [], limit = undefined) {
  const report = async (name, args) => {
    const file = inProject('test-results', `${name}.json`);
    rmSync(file, { force: true });
    const cli = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'frontend/e2e/playwright.config.ts'];
    const code = await runGroup(node, [...cli, ...args], { env: { ...env, E2E_REPORT: file }, limit });
    return journeysReport(code, readJson(file), root);
  };
  const alone = (failed) => report('browser-again', ['--workers=1', ...failed]);
  return report('browser', words).then((first) => (limit?.aborted ? first : tryAgain('browser', first, alone)));
}

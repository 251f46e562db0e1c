import { rmSync } from 'node:fs';
import { inProject, root } from '../project.mjs';
import { runGroup } from './group.mjs';
import { journeysReport } from './reports/journeys-report.mjs';
import { readJson } from './reports/report.mjs';
import { tryAgain } from './try-again.mjs';

/**
 * Goes through the journeys, then through those that failed once more, one after the other.
 * @param node the Node.js that Playwright runs on
 * @param env the environment: the browsers, and where the product is if it runs already
 * @param words only the journeys whose paths hold one of them; none takes all
 * @param limit an AbortSignal that interrupts them; Playwright then still writes which have not ended
 * @returns what a stage gives (report.mjs); Playwright writes to `test-results/browser.json`
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

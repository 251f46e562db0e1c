import { findBrowserEnv } from './lib/test-runner/browser-env.mjs';
import { runSuites } from './lib/test-runner/jest.mjs';
import { runEndToEndTests } from './lib/test-runner/end-to-end.mjs';
import { longEndToEndTests, longSuites } from './lib/test-runner/long-tests.mjs';
import { createTempDir } from './lib/test-runner/temp-dir.mjs';
import { runStages, Skipped } from './lib/test-runner/stages.mjs';
import { installAndBuild } from './lib/install-and-build.mjs';
import { projectPath, runMain } from './lib/project.mjs';

/**
 * `npm run test:long`: runs the long suites completely (`lib/test-runner/long-tests.mjs`); for every night and before a
 * release.
 */
await runMain(async () => {
  const node = await installAndBuild(['backend', 'frontend']);
  const browserEnv = findBrowserEnv();
  const tempDir = createTempDir();
  process.env.TEST_LONG = '1';
  const suiteArgs = ['--runTestsByPath', ...Object.keys(longSuites)];
  const runScreenTests = (abortSignal) => {
    const env = { ...process.env, ...browserEnv, E2E_VARIANTS: 'all' };
    return runEndToEndTests(node, env, longEndToEndTests, abortSignal);
  };
  return runStages(
    [
      {
        name: 'suites',
        minutes: 240,
        run: (abortSignal) =>
          runSuites(node, 'long-suites', ['--selectProjects', 'backend'], suiteArgs, { abortSignal }),
      },
      {
        name: 'screens',
        minutes: 120,
        run: async (abortSignal) => (browserEnv ? runScreenTests(abortSignal) : new Skipped('no Chromium was found')),
      },
      { name: 'leftovers', run: () => tempDir.checkLeftovers() },
    ],
    projectPath('test-results'),
  );
});

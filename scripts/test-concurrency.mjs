import { runJest } from './lib/test-runner/jest.mjs';
import { installAndBuild } from './lib/install-and-build.mjs';
import { runMain } from './lib/project.mjs';

/**
 * `npm run test:concurrency -- 100`: runs the concurrency suite with that many random schedules (20 by default). The
 * first seed is random too; `CONCURRENCY_SEED` sets it, to repeat a run.
 */
await runMain(async () => {
  const node = await installAndBuild(['backend']);
  const runs = process.argv[2] ?? '20';
  const seed = process.env.CONCURRENCY_SEED ?? String(Math.floor(Math.random() * 1_000_000_000));
  return runJest(
    node,
    ['--selectProjects', 'backend', '--runTestsByPath', 'backend/test/e2e/operations/concurrency.spec.ts'],
    {
      env: { ...process.env, CONCURRENCY_RUNS: runs, CONCURRENCY_SEED: seed },
    },
  );
});

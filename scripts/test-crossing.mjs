import { jest } from './lib/proof/jest.mjs';
import { prepare } from './lib/prepare.mjs';
import { main } from './lib/project.mjs';

/**
 * `npm run test:crossing -- 100`: runs the concurrency suite with that many random schedules (20 by default). The first
 * seed is random too; `CROSSING_SEED` sets it, to repeat a run.
 */
await main(async () => {
  const node = await prepare(['backend']);
  const runs = process.argv[2] ?? '20';
  const seed = process.env.CROSSING_SEED ?? String(Math.floor(Math.random() * 1_000_000_000));
  return jest(
    node,
    ['--selectProjects', 'backend', '--runTestsByPath', 'backend/test/e2e/operations/crossing.spec.ts'],
    {
      env: { ...process.env, CROSSING_RUNS: runs, CROSSING_SEED: seed },
    },
  );
});

import { jest } from './lib/proof/jest.mjs';
import { prepare } from './lib/prepare.mjs';
import { main } from './lib/project.mjs';

/**
 * `npm run test:crossing -- 100`: the suite in which every feature meets the same people, with so many schedules by chance
 * (20 when no number is given). The first seed is by chance too; CROSSING_SEED sets it, to see a run again.
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

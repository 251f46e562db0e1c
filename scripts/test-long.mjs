import { browsers } from './lib/proof/browsers.mjs';
import { suites } from './lib/proof/jest.mjs';
import { journeys } from './lib/proof/journeys.mjs';
import { longJourneys, longSuites } from './lib/proof/long.mjs';
import { openRoom } from './lib/proof/room.mjs';
import { runStages, Skipped } from './lib/proof/stages.mjs';
import { prepare } from './lib/prepare.mjs';
import { inProject, main } from './lib/project.mjs';

/**
 * `npm run test:long`: runs the long suites completely (`lib/proof/long.mjs`); for every night and before a release.
 */
await main(async () => {
  const node = await prepare(['backend', 'frontend']);
  const found = browsers();
  const room = openRoom();
  process.env.TEST_LONG = '1';
  const byPath = ['--runTestsByPath', ...Object.keys(longSuites)];
  const shown = (limit) => journeys(node, { ...process.env, ...found, E2E_SHAPES: 'all' }, longJourneys, limit);
  return runStages(
    [
      {
        name: 'suites',
        minutes: 240,
        run: (limit) => suites(node, 'long-suites', ['--selectProjects', 'backend'], byPath, { limit }),
      },
      {
        name: 'screens',
        minutes: 120,
        run: async (limit) => (found ? shown(limit) : new Skipped('no Chromium was found')),
      },
      { name: 'left over', run: () => room.left() },
    ],
    inProject('test-results'),
  );
});

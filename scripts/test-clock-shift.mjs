import { selectTests } from './lib/test-runner/selection.mjs';
import {
  compileShiftedClock,
  createShiftedClockEnv,
  excludedSuites,
  parseArguments,
} from './lib/test-runner/clock-shift/clock-shift.mjs';
import { runSuites } from './lib/test-runner/jest.mjs';
import { createTempDir } from './lib/test-runner/temp-dir.mjs';
import { runStages } from './lib/test-runner/stages.mjs';
import { installAndBuild } from './lib/install-and-build.mjs';
import { log, projectPath, runMain } from './lib/project.mjs';

/**
 * `npm run test:clock-shift`: runs the suites with the clock of all processes shifted to the next of each special time
 * (`lib/test-runner/clock-shift/clock-shift.mjs`), one stage each, strictly: a retry would run at another time. Words
 * (`npm run test:clock-shift -- limits plans`) select suites by path; `--at` with part of a name (`-- --at Berlin`)
 * selects times by name. Needs Linux and a C compiler.
 */
/** The server's and the page's suites; those of `scripts/` run whole products and don't test dates. */
const isIncluded = (path) => !path.startsWith('scripts/') && !excludedSuites.includes(path);

await runMain(async () => {
  const library = compileShiftedClock();
  const { words, times } = parseArguments(process.argv.slice(2), Date.now());
  const selection = selectTests(words.length > 0 ? words : ['.']);
  const node = await installAndBuild(['backend']);
  const tempDir = createTempDir();
  process.env.STRICT = '1';
  const stages = times.map(({ name, at, startsAt }) => ({
    name,
    minutes: 90,
    run: async (abortSignal) => {
      log(`the clock is shifted to ${new Date(startsAt).toISOString()}; ${name} is at ${new Date(at).toISOString()}`);
      Object.assign(process.env, createShiftedClockEnv(library, startsAt - Date.now()));
      const paths = selection.suites.filter(isIncluded);
      const stageName = `clock-shift-${name.replaceAll(' ', '-')}`;
      return runSuites(node, stageName, [], ['--runTestsByPath', ...paths], { abortSignal }).finally(() => {
        for (const variable of Object.keys(createShiftedClockEnv(library, 0))) delete process.env[variable];
      });
    },
  }));
  const lastStage = { name: 'leftovers', run: () => tempDir.checkLeftovers() };
  return runStages([...stages, lastStage], projectPath('test-results'));
});

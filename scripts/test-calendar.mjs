import { chosenBy } from './lib/proof/chosen.mjs';
import { askedFor, compileMovedClock, movedClock, notWithMovedClock } from './lib/proof/calendar/calendar.mjs';
import { suites } from './lib/proof/jest.mjs';
import { openRoom } from './lib/proof/room.mjs';
import { runStages } from './lib/proof/stages.mjs';
import { prepare } from './lib/prepare.mjs';
import { inProject, main, say } from './lib/project.mjs';

/**
 * `npm run test:calendar`: runs the suites with the clock of all processes shifted to the next of each special time
 * (`lib/proof/calendar/calendar.mjs`), one stage each, strictly: a retry would run at another time. Words (`npm run
 * test:calendar -- limits plans`) select suites by path; `--at` with part of a name (`-- --at Berlin`) selects times by
 * name. Needs Linux and a C compiler.
 */
/** The server's and the page's suites; those of `scripts/` run whole products and don't test dates. */
const tried = (path) => !path.startsWith('scripts/') && !notWithMovedClock.includes(path);

await main(async () => {
  const library = compileMovedClock();
  const { words, moments } = askedFor(process.argv.slice(2), Date.now());
  const chosen = chosenBy(words.length > 0 ? words : ['.']);
  const node = await prepare(['backend']);
  const room = openRoom();
  process.env.STRICT = '1';
  const stages = moments.map(({ name, at, starts }) => ({
    name,
    minutes: 90,
    run: async (limit) => {
      say(`the clock goes to ${new Date(starts).toISOString()}, ${name} at ${new Date(at).toISOString()}`);
      Object.assign(process.env, movedClock(library, starts - Date.now()));
      const paths = chosen.suites.filter(tried);
      return suites(node, `calendar-${name.replaceAll(' ', '-')}`, [], ['--runTestsByPath', ...paths], {
        limit,
      }).finally(() => {
        for (const variable of Object.keys(movedClock(library, 0))) delete process.env[variable];
      });
    },
  }));
  return runStages([...stages, { name: 'left over', run: () => room.left() }], inProject('test-results'));
});

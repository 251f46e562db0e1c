import { availableParallelism, totalmem } from 'node:os';
import { prepare } from './lib/prepare.mjs';
import { inProject, main, say } from './lib/project.mjs';
import { browsers } from './lib/proof/browsers.mjs';
import { checks } from './lib/proof/checks.mjs';
import { chosenBy } from './lib/proof/chosen.mjs';
import { suites } from './lib/proof/jest.mjs';
import { journeys } from './lib/proof/journeys.mjs';
import { machine } from './lib/proof/machine.mjs';
import { openRoom } from './lib/proof/room.mjs';
import { runStages, Skipped } from './lib/proof/stages.mjs';
import { findChromium, findOffice, findRedis } from './lib/services.mjs';

/**
 * `npm test`: runs all checks. Words (`npm test -- zones`) select suites and end-to-end tests by path, `--changed`
 * those for what has changed since main. Failed tests are retried once, alone, and are unsteady if they pass then:
 * STRICT=1 makes that a failure. REQUIRE_SERVICES=1 makes a missing Chromium or Redis a failure; otherwise their suites
 * are skipped.
 */
const required = process.env.REQUIRE_SERVICES === '1';
const chromium = findChromium();

// The suites start the product about a hundred times, so V8's compile cache is shared.
process.env.NODE_COMPILE_CACHE ??= inProject('node_modules/.cache/compiled');

async function services() {
  // LibreOffice is never required: its packages are large, and the code that reads its output is tested without it.
  if (!findOffice())
    say(
      'LibreOffice not found: how Office documents are shown is not tried (apt-get install libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui)',
    );
  const missing = [...(chromium ? [] : ['Chromium']), ...(findRedis() ? [] : ['redis-server'])];
  if (missing.length === 0) return 0;
  const sentence = `${missing.join(' and ')} not found; on Debian: apt-get install chromium redis-server`;
  if (!required) return new Skipped(sentence);
  console.error(`REQUIRE_SERVICES=1, but ${sentence}`);
  return 1;
}

/** A Jest worker grows to about 1.3 GB. */
const PER_WORKER = 2 * 2 ** 30;
const workers = (more) =>
  `--maxWorkers=${Math.max(1, Math.min(availableParallelism() + more, Math.floor(totalmem() / PER_WORKER)))}`;

/**
 * Suites wait a fifth of their time (for processes, locks, timeouts, debounces), and those that wait most run first: so
 * two more workers than cores.
 */
const waiting = workers(2);

async function browser(node, limit, paths) {
  const sentence =
    'no Chromium was found, so the page was not tried in a browser (apt-get install chromium, or CHROMIUM_PATH)';
  if (!chromium) return required ? Promise.reject(new Error(sentence)) : new Skipped(sentence);
  return journeys(node, { ...process.env, ...browsers() }, paths, limit);
}

/**
 * The timeouts, in minutes, are about seven times what two idle cores need: a busy machine took three times as long.
 * They only end runs that hang.
 */
const whole = (node) => [
  { name: 'services', minutes: 1, run: services },
  { name: 'checks', minutes: 15, run: (limit) => checks(node, null, limit) },
  {
    name: 'backend',
    minutes: 60,
    run: (limit) => suites(node, 'backend', ['--selectProjects', 'backend'], [waiting], { limit }),
  },
  // Suites of server parts and scripts wait while the page's suites use the CPU.
  {
    name: 'frontend',
    minutes: 30,
    run: (limit) =>
      suites(node, 'frontend', ['--selectProjects', 'scripts', 'parts', 'frontend'], [waiting], { limit }),
  },
  { name: 'browser', minutes: 60, run: (limit) => browser(node, limit) },
];

const part = (node, chosen) => {
  const byPath = [...chosen.flags, '--runTestsByPath', ...chosen.suites];
  return [
    ...(chosen.changed ? [{ name: 'checks', minutes: 15, run: (limit) => checks(node, chosen.changed, limit) }] : []),
    ...(chosen.suites.length > 0
      ? [{ name: 'suites', minutes: 60, run: (limit) => suites(node, 'suites', [], byPath, { limit }) }]
      : []),
    ...(chosen.journeys.length > 0
      ? [{ name: 'browser', minutes: 60, run: (limit) => browser(node, limit, chosen.journeys) }]
      : []),
  ];
};

await main(async () => {
  const begun = performance.now();
  const chosen = chosenBy(process.argv.slice(2));
  const needsPage = chromium && (chosen === null || chosen.journeys.length > 0);
  const node = await prepare(needsPage ? ['backend', 'frontend'] : ['backend']);
  say(machine(node, chromium));
  const room = openRoom();
  const last = { name: 'left over', minutes: 2, run: () => room.left() };
  const stages = chosen === null ? whole(node) : part(node, chosen);
  const code = await runStages([...stages, last], inProject('test-results'));
  say(`${((performance.now() - begun) / 60_000).toFixed(1)} minutes in all`);
  return code;
});

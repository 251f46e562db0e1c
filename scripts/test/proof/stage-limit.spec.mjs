import { jest } from '@jest/globals';
import { relative } from 'node:path';
import { check } from '../../lib/proof/checks.mjs';
import { journeysReport } from '../../lib/proof/reports/journeys-report.mjs';
import { unfinishedSuites } from '../../lib/proof/progress.mjs';
import { report } from '../../lib/proof/reports/report.mjs';
import { runStages } from '../../lib/proof/stages.mjs';
import { inProject } from '../../lib/project.mjs';
import { outputOf } from '../../lib/run.mjs';
import { temporaryFolder } from '../temporary.mjs';

const folder = temporaryFolder();
const lines = [];
beforeEach(() => {
  lines.length = 0;
  for (const stream of ['log', 'error']) jest.spyOn(console, stream).mockImplementation((line) => lines.push(line));
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => folder.remove());

/** So short that it has passed in the next iteration of the event loop. */
const minutes = 1e-6;
const aborted = (limit) => new Promise((resolve) => limit.addEventListener('abort', resolve));

it('fails a stage that times out and continues with the next', async () => {
  const stages = [
    { name: 'stuck', minutes, run: () => new Promise(() => undefined) },
    { name: 'next', run: async () => 0 },
  ];
  expect(await runStages(stages, null, 1)).toBe(1);
  expect(lines.join('\n')).toContain('  ● stuck\n      did not end within 0.000001 minutes');
  expect(lines.join('\n')).toMatch(/FAILED +stuck.*\n.*passed +next/);
});

it('fails a timed-out stage with its own report even if that succeeded', async () => {
  const failures = [{ where: 'never began', lines: ['a.spec.ts'] }];
  const stages = [
    { name: 'some', minutes, run: (limit) => aborted(limit).then(() => report({ code: 1, failures })) },
    { name: 'late', minutes, run: (limit) => aborted(limit).then(() => 0) },
  ];
  expect(await runStages(stages)).toBe(1);
  expect(lines.join('\n')).toContain('  ● never began\n      a.spec.ts');
  expect(lines.join('\n')).toMatch(/FAILED +some.*\n.*FAILED +late/);
});

it('takes the time limit of all stages from STAGE_MINUTES', async () => {
  process.env.STAGE_MINUTES = String(minutes);
  try {
    expect(await runStages([{ name: 'stuck', minutes: 60, run: () => new Promise(() => undefined) }], null, 1)).toBe(1);
  } finally {
    delete process.env.STAGE_MINUTES;
  }
});

it('lists the suites that did not finish and those that did not start', async () => {
  const project = temporaryFolder();
  // A single worker runs larger files first.
  const padding = (size) => `// ${'x'.repeat(size)}`;
  project.write('good.spec.cjs', `it('holds', () => undefined); ${padding(3000)}`);
  project.write(
    'stuck.spec.cjs',
    `it('waits', () => { require('node:fs').writeFileSync(${JSON.stringify(`${project.path}/waits`)}, ''); return new Promise(() => undefined); }, 1e9); ${padding(2000)}`,
  );
  project.write('later.spec.cjs', `it('holds', () => undefined);`);
  const config = project.write('jest.config.json', { testMatch: ['**/*.spec.cjs'], transform: {} });
  const program = `
    import { existsSync } from 'node:fs';
    import { suites } from './scripts/lib/proof/jest.mjs';
    const limit = new AbortController();
    const timer = setInterval(() => existsSync(${JSON.stringify(`${project.path}/waits`)}) && limit.abort(), 20);
    const args = ['--config', ${JSON.stringify(config)}, '--maxWorkers=1'];
    const report = await suites(process.execPath, 'interrupted', args, [], { limit: limit.signal });
    clearInterval(timer);
    console.log('REPORT' + JSON.stringify(report));`;
  const { output } = await outputOf(process.execPath, ['--input-type=module', '--eval', program]);
  project.remove();
  const { code, failures } = JSON.parse(output.split('\nREPORT').at(-1).split('\n')[0]);
  expect(code).toBe(1);
  expect(failures).toEqual([
    { where: 'never ended', lines: [expect.stringMatching(/stuck\.spec\.cjs$/)] },
    { where: 'never began', lines: [expect.stringMatching(/later\.spec\.cjs$/)] },
  ]);
});

it('lists at most fifteen suites of a kind and those that had already failed', () => {
  const chosen = Array.from({ length: 18 }, (_, at) => `${at}.spec.ts`);
  const states = new Map([
    ['0.spec.ts', 'failed'],
    ['1.spec.ts', 'passed'],
  ]);
  const [began, failed] = unfinishedSuites(chosen, states);
  expect(began).toMatchObject({ where: 'never began', lines: expect.arrayContaining(['2.spec.ts', 'and 1 more']) });
  expect(failed).toEqual({ where: 'failed before; the reasons are in the output above', lines: ['0.spec.ts'] });
});

it('lists the end-to-end tests that did not finish and those that did not start', () => {
  const spec = (title, expectedStatus, statuses) => ({
    ...{ file: 'links.journey.ts', title },
    tests: [
      { status: 'skipped', expectedStatus, results: statuses.map((status) => ({ status, duration: 1, errors: [] })) },
    ],
  });
  const specs = [spec('joins', 'passed', ['interrupted']), spec('leaves', 'passed', []), spec('waits', 'skipped', [])];
  const written = { config: { rootDir: '/home/ada/zonary/frontend/e2e' }, suites: [{ specs }] };
  expect(journeysReport(130, written, '/home/ada/zonary').failures).toEqual([
    { where: 'never ended', lines: ['frontend/e2e/links.journey.ts › joins'] },
    { where: 'never began', lines: ['frontend/e2e/links.journey.ts › leaves'] },
  ]);
});

it('ends a check tool that times out', async () => {
  const file = folder.write('tool.mjs', 'setInterval(() => undefined, 1000);');
  const tool = { name: 'style', args: [relative(inProject('node_modules'), file)], findings: () => [] };
  const limit = new AbortController();
  const checked = check(process.execPath, tool, limit.signal);
  limit.abort();
  expect(await checked).toMatchObject({ code: 1, failures: [{ where: 'style', lines: ['never ended'] }] });
});

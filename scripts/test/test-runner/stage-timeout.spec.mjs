import { jest } from '@jest/globals';
import { relative } from 'node:path';
import { runTool } from '../../lib/test-runner/checks.mjs';
import { createPlaywrightReport } from '../../lib/test-runner/reports/playwright-report.mjs';
import { listUnfinishedSuites } from '../../lib/test-runner/progress-reporter.mjs';
import { createReport } from '../../lib/test-runner/reports/report.mjs';
import { runStages } from '../../lib/test-runner/stages.mjs';
import { projectPath } from '../../lib/project.mjs';
import { captureOutput } from '../../lib/run.mjs';
import { createTempFolder } from '../support.mjs';

const folder = createTempFolder();
const lines = [];
beforeEach(() => {
  lines.length = 0;
  for (const stream of ['log', 'error']) jest.spyOn(console, stream).mockImplementation((line) => lines.push(line));
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => folder.remove());

/** So short that it has passed in the next iteration of the event loop. */
const minutes = 1e-6;
const waitForAbort = (abortSignal) => new Promise((resolve) => abortSignal.addEventListener('abort', resolve));

it('fails a stage that times out and continues with the next', async () => {
  const stages = [
    { name: 'hung', minutes, run: () => new Promise(() => undefined) },
    { name: 'next', run: async () => 0 },
  ];
  expect(await runStages(stages, null, 1)).toBe(1);
  expect(lines.join('\n')).toContain('  ● hung\n      timed out after 0.000001 minutes');
  expect(lines.join('\n')).toMatch(/FAILED +hung.*\n.*passed +next/);
});

it('fails a timed-out stage with its own report even if that succeeded', async () => {
  const failures = [{ name: 'not started', lines: ['a.spec.ts'] }];
  const stages = [
    {
      name: 'some',
      minutes,
      run: (abortSignal) => waitForAbort(abortSignal).then(() => createReport({ code: 1, failures })),
    },
    { name: 'late', minutes, run: (abortSignal) => waitForAbort(abortSignal).then(() => 0) },
  ];
  expect(await runStages(stages)).toBe(1);
  expect(lines.join('\n')).toContain('  ● not started\n      a.spec.ts');
  expect(lines.join('\n')).toMatch(/FAILED +some.*\n.*FAILED +late/);
});

it('takes the time limit of all stages from STAGE_MINUTES', async () => {
  process.env.STAGE_MINUTES = String(minutes);
  try {
    expect(await runStages([{ name: 'hung', minutes: 60, run: () => new Promise(() => undefined) }], null, 1)).toBe(1);
  } finally {
    delete process.env.STAGE_MINUTES;
  }
});

it('lists the suites that did not finish and those that did not start', async () => {
  const project = createTempFolder();
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
    import { runSuites } from './scripts/lib/test-runner/jest.mjs';
    const controller = new AbortController();
    const timer = setInterval(() => existsSync(${JSON.stringify(`${project.path}/waits`)}) && controller.abort(), 20);
    const args = ['--config', ${JSON.stringify(config)}, '--maxWorkers=1'];
    const report = await runSuites(process.execPath, 'interrupted', args, [], { abortSignal: controller.signal });
    clearInterval(timer);
    console.log('REPORT' + JSON.stringify(report));`;
  const { output } = await captureOutput(process.execPath, ['--input-type=module', '--eval', program]);
  project.remove();
  const { code, failures } = JSON.parse(output.split('\nREPORT').at(-1).split('\n')[0]);
  expect(code).toBe(1);
  expect(failures).toEqual([
    { name: 'not finished', lines: [expect.stringMatching(/stuck\.spec\.cjs$/)] },
    { name: 'not started', lines: [expect.stringMatching(/later\.spec\.cjs$/)] },
  ]);
});

it('lists at most fifteen suites of a kind and those that had already failed', () => {
  const suites = Array.from({ length: 18 }, (_, index) => `${index}.spec.ts`);
  const states = new Map([
    ['0.spec.ts', 'failed'],
    ['1.spec.ts', 'passed'],
  ]);
  const [notStarted, failed] = listUnfinishedSuites(suites, states);
  expect(notStarted).toMatchObject({ name: 'not started', lines: expect.arrayContaining(['2.spec.ts', 'and 1 more']) });
  expect(failed).toEqual({ name: 'failed before; see the output above', lines: ['0.spec.ts'] });
});

it('lists the end-to-end tests that did not finish and those that did not start', () => {
  const spec = (title, expectedStatus, statuses) => ({
    file: 'links.e2e.ts',
    title,
    tests: [
      { status: 'skipped', expectedStatus, results: statuses.map((status) => ({ status, duration: 1, errors: [] })) },
    ],
  });
  const specs = [spec('joins', 'passed', ['interrupted']), spec('leaves', 'passed', []), spec('waits', 'skipped', [])];
  const results = { config: { rootDir: '/home/ada/zonary/frontend/e2e' }, suites: [{ specs }] };
  expect(createPlaywrightReport(130, results, '/home/ada/zonary').failures).toEqual([
    { name: 'not finished', lines: ['frontend/e2e/links.e2e.ts › joins'] },
    { name: 'not started', lines: ['frontend/e2e/links.e2e.ts › leaves'] },
  ]);
});

it('ends a check tool that times out', async () => {
  const file = folder.write('tool.mjs', 'setInterval(() => undefined, 1000);');
  const tool = { name: 'style', args: [relative(projectPath('node_modules'), file)], findings: () => [] };
  const controller = new AbortController();
  const report = runTool(process.execPath, tool, controller.signal);
  controller.abort();
  expect(await report).toMatchObject({ code: 1, failures: [{ name: 'style', lines: ['not finished'] }] });
});

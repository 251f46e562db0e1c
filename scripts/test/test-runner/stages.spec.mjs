import { jest } from '@jest/globals';
import { createReport, readJson } from '../../lib/test-runner/reports/report.mjs';
import { runStages, Skipped } from '../../lib/test-runner/stages.mjs';
import { createTempFolder } from '../support.mjs';

const lines = [];
const folder = createTempFolder();
afterAll(() => folder.remove());
beforeEach(() => {
  lines.length = 0;
  jest.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
  jest.spyOn(console, 'error').mockImplementation((line) => lines.push(line));
});
afterEach(() => jest.restoreAllMocks());

const stage = (name, outcome) => ({ name, run: async () => outcome });

it('runs every stage despite a failure and fails at the end', async () => {
  const stages = [
    stage('lint', 1),
    stage('backend', 0),
    { name: 'browser', run: () => Promise.reject(new Error('no page')) },
  ];
  expect(await runStages(stages)).toBe(1);
  expect(lines.join('\n')).toMatch(/FAILED +lint.*\n.*passed +backend.*\n.*FAILED +browser/);
  expect(lines.at(-1)).toContain('Failed: lint, browser.');
  expect(lines.join('\n')).toContain('Failures:\n  ● browser\n      no page');
});

it('reports skipped stages with the reason without failing', async () => {
  expect(await runStages([stage('backend', 0), stage('browser', new Skipped('no Chromium'))])).toBe(0);
  expect(lines.join('\n')).toMatch(/skipped +browser +no Chromium/);
});

it('saves flaky tests to a file and passes', async () => {
  const flaky = [{ name: 'a.spec.ts › holds', lines: ['it did not'] }];
  const once = { name: 'backend', run: async () => createReport({ flaky, counts: { passed: 3, failed: 0 } }) };
  expect(await runStages([once], folder.path)).toBe(0);
  expect(readJson(`${folder.path}/flaky.json`)).toEqual([{ stage: 'backend', ...flaky[0] }]);
  expect(lines.join('\n')).toContain('flaky (fix before anything else): a.spec.ts › holds');
  expect(lines.slice(-3)).toEqual(['tests: 3 passed, 0 failed', lines.at(-2), 'Everything passed.']);
});

it('fails on flaky tests in strict mode', async () => {
  const flaky = [{ name: 'a.spec.ts › holds', lines: ['it did not'] }];
  process.env.STRICT = '1';
  try {
    expect(await runStages([{ name: 'backend', run: async () => createReport({ flaky }) }])).toBe(1);
  } finally {
    delete process.env.STRICT;
  }
  expect(lines.join('\n')).toContain('Failures:\n  ● a.spec.ts › holds\n      it did not');
});

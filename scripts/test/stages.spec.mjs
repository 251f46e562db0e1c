import { jest } from '@jest/globals';
import { runStages, Skipped } from '../lib/stages.mjs';

const lines = [];
beforeEach(() => {
  lines.length = 0;
  jest.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
  jest.spyOn(console, 'error').mockImplementation((line) => lines.push(line));
});
afterEach(() => jest.restoreAllMocks());

const stage = (name, outcome) => ({ name, run: async () => outcome });

it('runs every stage though one fails, and fails then', async () => {
  const stages = [
    stage('lint', 1),
    stage('backend', 0),
    { name: 'browser', run: () => Promise.reject(new Error('no page')) },
  ];
  expect(await runStages(stages)).toBe(1);
  expect(lines.join('\n')).toMatch(/FAILED +lint.*\n.*passed +backend.*\n.*FAILED +browser/);
  expect(lines.at(-1)).toContain('Failed: lint, browser.');
  expect(lines).toContain('no page');
});

it('says what was skipped and why, which is no failure', async () => {
  expect(await runStages([stage('backend', 0), stage('browser', new Skipped('no Chromium'))])).toBe(0);
  expect(lines.join('\n')).toMatch(/skipped +browser +no Chromium/);
});

import { lastLines } from '../../lib/proof/reports/last-lines.mjs';
import { report } from '../../lib/proof/reports/report.mjs';

const stage = (parts) => ({ name: 'backend', seconds: 1, ...report({ code: 1, ...parts }) });

it('lists failures with reasons after the ten slowest and before the stages', () => {
  const times = Array.from({ length: 12 }, (_, at) => ({ name: `suite-${at}`, seconds: at }));
  const failures = [{ where: 'a.spec.ts › holds', lines: ['Expected: 1', 'at a.spec.ts:3:1'] }];
  const counts = { passed: 4, failed: 1 };
  expect(lastLines([stage({ times, failures, counts })])).toEqual([
    ...['', 'Slowest:'],
    ...Array.from({ length: 10 }, (_, at) => `  ${String(11 - at).padStart(4)}.0 s  suite-${11 - at}`),
    ...['', 'What failed:', '  ● a.spec.ts › holds', '      Expected: 1', '      at a.spec.ts:3:1'],
    ...['', '  FAILED   backend    1.0 s', ''],
    ...['tests: 4 passed, 1 failed', 'unsteady: none', 'Failed: backend.'],
  ]);
});

it('lists flaky tests below the stages, each once', () => {
  const unsteady = ['a', 'b', 'a'].map((where) => ({ where, lines: ['once'] }));
  expect(lastLines([stage({ code: 0, unsteady })]).slice(-3)).toEqual([
    'tests: 0 passed, 0 failed',
    'unsteady (mend before anything else): a, b',
    'Everything passed.',
  ]);
});

it('prints at most 120 lines of failures and the number of further ones', () => {
  const failures = Array.from({ length: 50 }, (_, at) => ({ where: `test ${at}`, lines: Array(7).fill('why') }));
  const lines = lastLines([stage({ failures })]);
  const told = lines.slice(lines.indexOf('What failed:') + 1, lines.indexOf('  and 35 more'));
  expect(told).toHaveLength(120);
});

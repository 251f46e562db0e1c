import { formatSummary } from '../../lib/test-runner/reports/summary.mjs';
import { createReport } from '../../lib/test-runner/reports/report.mjs';

const stage = (fields) => ({ name: 'backend', seconds: 1, ...createReport({ code: 1, ...fields }) });

it('lists failures with reasons after the ten slowest and before the stages', () => {
  const times = Array.from({ length: 12 }, (_, index) => ({ name: `suite-${index}`, seconds: index }));
  const failures = [{ name: 'a.spec.ts › holds', lines: ['Expected: 1', 'at a.spec.ts:3:1'] }];
  const counts = { passed: 4, failed: 1 };
  expect(formatSummary([stage({ times, failures, counts })])).toEqual([
    ...['', 'Slowest:'],
    ...Array.from({ length: 10 }, (_, index) => `  ${String(11 - index).padStart(4)}.0 s  suite-${11 - index}`),
    ...['', 'Failures:', '  ● a.spec.ts › holds', '      Expected: 1', '      at a.spec.ts:3:1'],
    ...['', '  FAILED   backend    1.0 s', ''],
    ...['tests: 4 passed, 1 failed', 'flaky: none', 'Failed: backend.'],
  ]);
});

it('lists flaky tests below the stages, each once', () => {
  const flaky = ['a', 'b', 'a'].map((name) => ({ name, lines: ['once'] }));
  expect(formatSummary([stage({ code: 0, flaky })]).slice(-3)).toEqual([
    'tests: 0 passed, 0 failed',
    'flaky (fix before anything else): a, b',
    'Everything passed.',
  ]);
});

it('prints at most 120 lines of failures and the number of further ones', () => {
  const failures = Array.from({ length: 50 }, (_, index) => ({ name: `test ${index}`, lines: Array(7).fill('why') }));
  const lines = formatSummary([stage({ failures })]);
  const shown = lines.slice(lines.indexOf('Failures:') + 1, lines.indexOf('  and 35 more'));
  expect(shown).toHaveLength(120);
});

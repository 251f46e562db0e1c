import { createJestReport } from '../../lib/test-runner/reports/jest-report.mjs';
import { createPlaywrightReport } from '../../lib/test-runner/reports/playwright-report.mjs';
import { shortenMessage } from '../../lib/test-runner/reports/report.mjs';

const projectRoot = '/home/ada/zonary';

describe('Message of a failed test', () => {
  it('contains the message without colours and the first stack line of our test', () => {
    const text = [
      '\u001b[31mexpect(received).toBe(expected)\u001b[39m',
      '',
      'Expected: 1',
      'Received: 2',
      '    at Object.toBe (/home/ada/zonary/node_modules/expect/build/index.js:2:1)',
      '    at run (file:///home/ada/zonary/backend/test/support/runner/timeouts.mjs:22:3)',
      '    at check (file:///home/ada/zonary/backend/test/e2e/zones.spec.ts:7:5)',
    ].join('\n');
    expect(shortenMessage(text, projectRoot)).toEqual([
      'expect(received).toBe(expected)',
      'Expected: 1',
      'Received: 2',
      'at check (backend/test/e2e/zones.spec.ts:7:5)',
    ]);
  });

  it('has at most eight lines, including the location', () => {
    const text = [...Array(30).fill('- difference'), '    at /home/ada/zonary/a.spec.ts:1:1'].join('\n');
    expect(shortenMessage(text, projectRoot)).toEqual([...Array(7).fill('- difference'), 'at a.spec.ts:1:1']);
  });
});

describe('Jest report', () => {
  const suite = (name, fields) => ({
    name: `${projectRoot}/${name}`,
    status: 'passed',
    message: '',
    startTime: 1000,
    endTime: 3500,
    assertionResults: [],
    ...fields,
  });

  it('names failed tests and suites that could not be loaded', () => {
    const failed = { status: 'failed', fullName: 'zones hold', failureMessages: ['It does not.'] };
    const results = {
      numPassedTests: 5,
      numFailedTests: 1,
      numRuntimeErrorTestSuites: 1,
      testResults: [
        suite('a.spec.ts', {}),
        suite('b.spec.ts', { status: 'failed', assertionResults: [failed, { status: 'passed' }] }),
        suite('c.spec.ts', { status: 'failed', message: 'Cannot find module' }),
      ],
    };
    expect(createJestReport(1, results, projectRoot)).toMatchObject({
      code: 1,
      failed: ['b.spec.ts', 'c.spec.ts'],
      failures: [
        { name: 'b.spec.ts › zones hold', lines: ['It does not.'] },
        { name: 'c.spec.ts', lines: ['Cannot find module'] },
      ],
      counts: { passed: 5, failed: 2 },
    });
    expect(createJestReport(0, results, projectRoot).times[0]).toEqual({ name: 'a.spec.ts', seconds: 2.5 });
  });

  it('can be empty when Jest crashed', () => {
    expect(createJestReport(1, null, projectRoot)).toMatchObject({ code: 1, failed: [], failures: [] });
  });
});

it('reports each end-to-end test with its duration, failure reason and location', () => {
  const result = (status, error) => ({ status, duration: 1500, errors: error ? [error] : [] });
  const location = { file: `${projectRoot}/frontend/e2e/links.e2e.ts`, line: 4, column: 2 };
  const results = {
    config: { rootDir: `${projectRoot}/frontend/e2e` },
    errors: [{ message: 'The product did not start.' }],
    suites: [
      {
        specs: [{ file: 'links.e2e.ts', title: 'joins', tests: [{ status: 'expected', results: [result('passed')] }] }],
        suites: [
          {
            specs: [
              {
                file: 'links.e2e.ts',
                title: 'leaves',
                tests: [
                  { status: 'unexpected', results: [result('timedOut', { message: 'Too late', location })] },
                  { status: 'skipped', results: [] },
                ],
              },
            ],
          },
        ],
      },
    ],
  };
  expect(createPlaywrightReport(1, results, projectRoot)).toMatchObject({
    failed: ['frontend/e2e/links.e2e.ts'],
    failures: [
      { name: 'browser', lines: ['The product did not start.'] },
      {
        name: 'frontend/e2e/links.e2e.ts › leaves',
        lines: ['timed out: Too late', 'at frontend/e2e/links.e2e.ts:4:2'],
      },
    ],
    times: [{ seconds: 1.5 }, { seconds: 1.5 }, { seconds: 0 }],
    counts: { passed: 1, failed: 1 },
  });
});

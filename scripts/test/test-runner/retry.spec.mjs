import { captureOutput } from '../../lib/run.mjs';
import { createTempFolder } from '../support.mjs';

/** Suites outside the product, run by Jest like the stages. */
const folder = createTempFolder();
afterAll(() => folder.remove());

/** The report of a stage with these suites, and its output. */
async function stage(files) {
  const project = createTempFolder();
  for (const [name, content] of Object.entries(files)) project.write(`${name}.spec.cjs`, content);
  const config = project.write('jest.config.json', { testMatch: ['**/*.spec.cjs'], transform: {} });
  const program = `
    import { runSuites } from './scripts/lib/test-runner/jest.mjs';
    const report = await runSuites(process.execPath, 'retried', ['--config', ${JSON.stringify(config)}], [], { exitTimeout: 500 });
    console.log('REPORT' + JSON.stringify(report));`;
  const { output } = await captureOutput(process.execPath, ['--input-type=module', '--eval', program]);
  project.remove();
  return { output, report: JSON.parse(output.split('\nREPORT').at(-1).split('\n')[0]) };
}

const good = `it('holds', () => undefined);`;
const bad = `it('holds', () => undefined); it('never holds', () => { throw new Error('It is broken.'); });`;
/** Fails at its first run, which it counts in a file. */
const failOnce = (name) => `const fs = require('node:fs');
  it('holds at the second try', () => {
    const isFirst = !fs.existsSync(${JSON.stringify(`${folder.path}/${name}`)});
    fs.writeFileSync(${JSON.stringify(`${folder.path}/${name}`)}, '');
    if (isFirst) throw new Error('Not yet.');
  });`;

it('reports a suite that passes when retried alone as flaky and passes the stage', async () => {
  const { report } = await stage({ good, once: failOnce('passes') });
  expect(report).toMatchObject({ code: 0, failures: [], counts: { passed: 2, failed: 0 } });
  expect(report.flaky).toEqual([
    {
      name: expect.stringMatching(/once\.spec\.cjs › holds at the second try$/),
      lines: expect.arrayContaining(['Error: Not yet.']),
    },
  ]);
});

it('fails only the suite that fails again when retried', async () => {
  const { report, output } = await stage({ good, bad, once: failOnce('beside') });
  expect(report).toMatchObject({ code: 1, counts: { passed: 3, failed: 1 } });
  expect(report.failures.map(({ name }) => name)).toEqual([expect.stringMatching(/bad\.spec\.cjs › never holds$/)]);
  expect(report.flaky).toHaveLength(1);
  expect(output).toContain('retrying alone');
});

it('does not retry more than ten failed suites', async () => {
  const files = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`bad-${index}`, bad]));
  const { report, output } = await stage(files);
  expect([report.code, report.failures.length]).toEqual([1, 11]);
  expect(output).not.toContain('retrying alone');
});

it('ends and reports a run that does not exit after its last suite', async () => {
  const { report } = await stage({
    open: `it('leaves a clock running', () => void setInterval(() => undefined, 1000));`,
  });
  expect(report).toMatchObject({ code: 0, flaky: [{ name: 'Jest' }], counts: { passed: 1, failed: 0 } });
});

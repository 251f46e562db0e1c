import { projectPath } from '../lib/project.mjs';
import { captureOutput } from '../lib/run.mjs';
import { createTempFolder } from './support.mjs';

/** Suites outside the product, run by the server suites' runner without Jest around it. */
let folder;
beforeEach(() => (folder = createTempFolder()));
afterEach(() => folder.remove());

const good = `it('holds', () => undefined);`;

/**
 * Runs suites in one process each, unless `maxWorkers` is set.
 * @param suites source of each suite by name
 * @param flags of the Node.js processes of the runner and its children
 * @returns by name, the titles of passed tests, or the message of the failure
 */
async function run(suites, { maxWorkers = Object.keys(suites).length, flags = [] } = {}) {
  const paths = Object.entries(suites).map(([name, source]) => folder.write(`${name}.spec.mjs`, source));
  const program = folder.write(
    'program.mjs',
    `
    import { basename } from 'node:path';
    import Runner from ${JSON.stringify(projectPath('backend/test/support/runner/suite-runner.mjs'))};
    const config = { rootDir: ${JSON.stringify(folder.path)}, setupFiles: [], setupFilesAfterEnv: [], snapshotSerializers: [], snapshotFormat: {}, transform: [] };
    const tests = ${JSON.stringify(paths)}.map((path) => ({ path, context: { config } }));
    const outcomes = {};
    const record = ({ path }, outcome) => (outcomes[basename(path, '.spec.mjs')] = outcome);
    await new Runner({ maxWorkers: ${maxWorkers}, testNamePattern: null, updateSnapshot: 'none' }).runTests(
      tests,
      { isInterrupted: () => false },
      async (test) => record(test, 'started'),
      async (test, result) => record(test, result.testResults.map(({ title, status }) => title + ' ' + status)),
      async (test, error) => record(test, error.message),
    );
    console.log('OUTCOMES' + JSON.stringify(outcomes));`,
  );
  const { output } = await captureOutput(process.execPath, [...flags, program]);
  return JSON.parse(output.split('OUTCOMES')[1]);
}

it('runs a suite in a process that is still loading after another has started', async () => {
  const started = `${folder.path}/started`;
  // All children but one delay loading until that one runs its suite.
  const slow = folder.write(
    'slow.mjs',
    `import { existsSync, mkdirSync } from 'node:fs';
     import { setTimeout } from 'node:timers/promises';
     const isFirst = () => { try { mkdirSync(${JSON.stringify(`${folder.path}/first`)}); return true; } catch { return false; } };
     if (process.send && !isFirst()) while (!existsSync(${JSON.stringify(started)})) await setTimeout(10);`,
  );
  const suite = `import { mkdirSync } from 'node:fs'; mkdirSync(${JSON.stringify(started)}, { recursive: true }); ${good}`;
  expect(await run({ a: suite, b: suite, c: suite }, { flags: ['--import', slow] })).toEqual({
    a: ['holds passed'],
    b: ['holds passed'],
    c: ['holds passed'],
  });
});

it('fails a suite whose process dies and runs later ones in a new process', async () => {
  const outcomes = await run(
    { dies: `process.kill(process.pid, 'SIGKILL');`, exits: 'process.exit(3);', good },
    { maxWorkers: 1 },
  );
  expect(outcomes).toEqual({
    dies: 'The process that ran this suite ended (SIGKILL).',
    exits: 'The process that ran this suite ended (exit code 3).',
    good: ['holds passed'],
  });
});

it('fails a suite that can’t be loaded and reuses its process', async () => {
  const outcomes = await run({ broken: `throw new Error('It is broken.');`, good }, { maxWorkers: 1 });
  expect(outcomes).toEqual({ broken: 'It is broken.', good: ['holds passed'] });
});

it('runs suites that mostly wait beside others', async () => {
  const started = `${folder.path}/started`;
  // Waits for the first of the others, which would not start if both processes preferred suites that wait.
  const waiting = `
    import { existsSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    for (const end = Date.now() + 20_000; !existsSync(${JSON.stringify(started)});) {
      if (Date.now() > end) throw new Error('No other suite has started.');
      await setTimeout(10);
    }
    ${good}`;
  const computing = `import { mkdirSync } from 'node:fs'; mkdirSync(${JSON.stringify(started)}, { recursive: true }); ${good}`;
  const suites = {
    'backend/test/process/a': waiting,
    'backend/test/process/b': waiting,
    c: computing,
    d: computing,
  };
  const passed = ['holds passed'];
  expect(await run(suites, { maxWorkers: 2 })).toEqual({ a: passed, b: passed, c: passed, d: passed });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DUPLICATE_SIGNAL_MS } from '../lib/supervise.mjs';
import { createTempFolder, waitUntil } from './support.mjs';

const folder = createTempFolder();
const supervisors = [];
afterEach(() => supervisors.splice(0).forEach((child) => child.kill('SIGKILL')));
afterAll(() => folder.remove());

/** Records the signals it receives; exits with 7 once the file `exitFile` exists, so that the test decides when. */
const program = folder.write(
  'program.mjs',
  `import { appendFileSync, existsSync } from 'node:fs';
   const [signalFile, exitFile] = process.argv.slice(2);
   const record = (text) => appendFileSync(signalFile, text + '\\n');
   for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => record(signal));
   process.on('disconnect', () => { record('disconnect'); process.exit(0); });
   setInterval(() => existsSync(exitFile) && process.exit(7), 20);
   record('ready ' + process.pid);`,
);
const supervisorProgram = folder.write(
  'supervisor.mjs',
  `import { supervise } from ${JSON.stringify(new URL('../lib/supervise.mjs', import.meta.url).href)};
   if (process.env.CLOCK === 'stopped') performance.now = () => 0;
   process.exitCode = await supervise(process.execPath, process.argv.slice(2));`,
);

let count = 0;
/** @param clock `stopped` makes all signals arrive at the same time, however busy the machine is */
async function start(clock = 'running') {
  const signalFile = `${folder.path}/signals-${++count}`;
  const exitFile = `${folder.path}/exit-${count}`;
  const supervisor = spawn(process.execPath, [supervisorProgram, program, signalFile, exitFile], {
    env: { ...process.env, CLOCK: clock },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  supervisors.push(supervisor);
  const read = () => (existsSync(signalFile) ? readFileSync(signalFile, 'utf8').trim().split('\n') : []);
  await waitUntil(() => read().length > 0);
  return {
    process: supervisor,
    readSignals: () => read().slice(1),
    letExit: () => folder.write(`exit-${count}`, ''),
    exit: once(supervisor, 'exit'),
  };
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  'forwards %s as a single SIGTERM and exits with the code of the program',
  async (signal) => {
    const started = await start('stopped');
    started.process.kill(signal);
    await waitUntil(() => started.readSignals().length > 0);
    started.process.kill(signal);
    started.letExit();
    expect((await started.exit)[0]).toBe(7);
    expect(started.readSignals()).toEqual(['SIGTERM']);
  },
);

it('exits with the code of a program that exits by itself', async () => {
  const started = await start();
  started.letExit();
  expect((await started.exit)[0]).toBe(7);
  expect(started.readSignals()).toEqual([]);
});

it('kills an unresponsive program on a second Ctrl-C', async () => {
  const started = await start();
  started.process.kill('SIGINT');
  await waitUntil(() => started.readSignals().length > 0);
  // Later than that, or it would count as the same Ctrl-C; and only once: another could reach the supervisor as it exits.
  await sleep(DUPLICATE_SIGNAL_MS + 100);
  started.process.kill('SIGINT');
  const [code] = await started.exit;
  expect(code).toBe(128 + 9);
  expect(started.readSignals()).toEqual(['SIGTERM']);
});

it('disconnects from the program when it is killed itself', async () => {
  const started = await start();
  started.process.kill('SIGKILL');
  await waitUntil(() => started.readSignals().length > 0);
  expect(started.readSignals()).toEqual(['disconnect']);
});

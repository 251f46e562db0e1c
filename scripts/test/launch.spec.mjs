import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ONE_SIGNAL_MS } from '../lib/launch.mjs';
import { temporaryFolder, until } from './temporary.mjs';

const folder = temporaryFolder();
const launched = [];
afterEach(() => launched.splice(0).forEach((one) => one.kill('SIGKILL')));
afterAll(() => folder.remove());

/** Records the signals it receives; exits with 7 on `go`, so that the test decides when. */
const program = folder.write(
  'program.mjs',
  `import { appendFileSync, existsSync } from 'node:fs';
   const [notes, go] = process.argv.slice(2);
   const note = (text) => appendFileSync(notes, text + '\\n');
   for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => note(signal));
   process.on('disconnect', () => { note('disconnect'); process.exit(0); });
   setInterval(() => existsSync(go) && process.exit(7), 20);
   note('ready ' + process.pid);`,
);
const launcher = folder.write(
  'launcher.mjs',
  `import { launch } from ${JSON.stringify(new URL('../lib/launch.mjs', import.meta.url).href)};
   if (process.env.CLOCK === 'stopped') performance.now = () => 0;
   process.exitCode = await launch(process.execPath, process.argv.slice(2));`,
);

let count = 0;
/** @param clock `stopped` makes all signals arrive at the same time, however busy the machine is */
async function start(clock = 'running') {
  const notes = `${folder.path}/notes-${++count}`;
  const go = `${folder.path}/go-${count}`;
  const process_ = spawn(process.execPath, [launcher, program, notes, go], {
    env: { ...process.env, CLOCK: clock },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  launched.push(process_);
  const read = () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []);
  await until(() => read().length > 0);
  return {
    process: process_,
    notes: () => read().slice(1),
    letGo: () => folder.write(`go-${count}`, ''),
    exit: once(process_, 'exit'),
  };
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  'forwards %s as a single SIGTERM and exits with the code of the program',
  async (signal) => {
    const started = await start('stopped');
    started.process.kill(signal);
    await until(() => started.notes().length > 0);
    started.process.kill(signal);
    started.letGo();
    expect((await started.exit)[0]).toBe(7);
    expect(started.notes()).toEqual(['SIGTERM']);
  },
);

it('exits with the code of a program that exits by itself', async () => {
  const started = await start();
  started.letGo();
  expect((await started.exit)[0]).toBe(7);
  expect(started.notes()).toEqual([]);
});

it('kills an unresponsive program on a second Ctrl-C', async () => {
  const started = await start();
  started.process.kill('SIGINT');
  await until(() => started.notes().length > 0);
  // Later than that, or it would count as the same Ctrl-C; and only once: another could reach the launcher as it exits.
  await pause(ONE_SIGNAL_MS + 100);
  started.process.kill('SIGINT');
  const [code] = await started.exit;
  expect(code).toBe(128 + 9);
  expect(started.notes()).toEqual(['SIGTERM']);
});

it('disconnects from the program when it is killed itself', async () => {
  const started = await start();
  started.process.kill('SIGKILL');
  await until(() => started.notes().length > 0);
  expect(started.notes()).toEqual(['disconnect']);
});

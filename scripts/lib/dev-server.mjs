import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { projectRoot } from './project.mjs';

/** The compiler's message after a successful compilation. */
const COMPILED = /Found 0 errors/;
const node = process.execPath;

const nestArgs = ['node_modules/@nestjs/cli/bin/nest.js', 'build', '--watch', '--watchAssets', '--preserveWatchOutput'];
const compiler = spawn(node, nestArgs, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] });
const viteArgs = ['node_modules/vite/bin/vite.js', '--config', 'frontend/vite.config.ts'];
const viteServer = spawn(node, viteArgs, { cwd: projectRoot, stdio: ['ignore', 'inherit', 'inherit'] });
let server = null;

for await (const event of watchEvents()) {
  await stopProcess(server);
  if (event === 'stop') break;
  server = spawn(node, ['--enable-source-maps', 'dist/compiled/src/main.js'], {
    cwd: projectRoot,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
await Promise.all([stopProcess(compiler), stopProcess(viteServer)]);
process.exit(compiler.exitCode || viteServer.exitCode || 0);

/** Yields `compiled` after successful compilations, and `stop` on a signal or when one of the tools exits. */
async function* watchEvents() {
  let nextEvent = null;
  let wake = () => undefined;
  const setEvent = (event) => {
    if (nextEvent !== 'stop') nextEvent = event;
    wake();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(signal, () => setEvent('stop'));
  for (const tool of [compiler, viteServer]) tool.once('exit', () => setEvent('stop'));
  createInterface({ input: compiler.stdout }).on('line', (line) => {
    console.log(line);
    if (COMPILED.test(line)) setEvent('compiled');
  });
  for (;;) {
    while (nextEvent === null) await new Promise((resolve) => (wake = resolve));
    const event = nextEvent;
    nextEvent = null;
    yield event;
  }
}

/** Stops a process and waits until it has exited: the next server needs its port and data folder. */
async function stopProcess(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

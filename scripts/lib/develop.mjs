import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { root } from './project.mjs';

/** The compiler's message after a successful compilation. */
const COMPILED = /Found 0 errors/;
const node = process.execPath;

const nest = ['node_modules/@nestjs/cli/bin/nest.js', 'build', '--watch', '--watchAssets', '--preserveWatchOutput'];
const compiler = spawn(node, nest, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
const vite = ['node_modules/vite/bin/vite.js', '--config', 'frontend/vite.config.ts'];
const page = spawn(node, vite, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
let server = null;

for await (const event of events()) {
  await end(server);
  if (event === 'stop') break;
  server = spawn(node, ['--enable-source-maps', 'dist/backend/src/main.js'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}
await Promise.all([end(compiler), end(page)]);
process.exit(compiler.exitCode || page.exitCode || 0);

/** Yields `compiled` after successful compilations, and `stop` on a signal or when one of the tools exits. */
async function* events() {
  let next = null;
  let wake = () => undefined;
  const put = (event) => {
    if (next !== 'stop') next = event;
    wake();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(signal, () => put('stop'));
  for (const tool of [compiler, page]) tool.once('exit', () => put('stop'));
  createInterface({ input: compiler.stdout }).on('line', (line) => {
    console.log(line);
    if (COMPILED.test(line)) put('compiled');
  });
  for (;;) {
    while (next === null) await new Promise((resolve) => (wake = resolve));
    const event = next;
    next = null;
    yield event;
  }
}

/** Stops a process and waits until it has exited: the next server needs its port and data folder. */
async function end(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

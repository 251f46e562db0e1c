import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { prepare } from './lib/prepare.mjs';
import { launch } from './lib/launch.mjs';
import { inProject, main } from './lib/project.mjs';
import { findNode } from './lib/node.mjs';

/**
 * `npm run dev`: the server is compiled and started again at every change of its sources, the page reloads by itself.
 * The page is at http://localhost:5173 and hands what it does not know to the server. This process only watches over
 * another that does the work, so that one Ctrl-C stops everything in order.
 */
const COMPILED = /Found 0 errors/;
const supervising = process.send === undefined;

await main(supervising ? supervise : work);

async function supervise() {
  return launch(await prepare([]), [import.meta.filename]);
}

async function work() {
  const node = findNode();
  const server = new Server(node);
  const nest = ['node_modules/@nestjs/cli/bin/nest.js', 'build', '--watch', '--preserveWatchOutput'];
  const compiler = spawn(node, nest, { cwd: inProject(), stdio: ['ignore', 'pipe', 'inherit'] });
  const vite = ['node_modules/vite/bin/vite.js', '--config', 'frontend/vite.config.ts'];
  const page = spawn(node, vite, { cwd: inProject(), stdio: ['ignore', 'inherit', 'inherit'] });
  for await (const event of events(compiler, page)) {
    if (event === 'stop') break;
    await server.restart();
  }
  compiler.kill();
  page.kill();
  await server.stop();
  process.exit(compiler.exitCode || page.exitCode || 0);
}

/** Gives `compiled` after every good compilation, and `stop` once, when told to or when one of the tools ends. */
async function* events(compiler, page) {
  const queue = [];
  let wake = () => undefined;
  const put = (event) => {
    queue.push(event);
    wake();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(signal, () => put('stop'));
  for (const tool of [compiler, page]) tool.once('exit', () => put('stop'));
  createInterface({ input: compiler.stdout }).on('line', (line) => {
    console.log(line);
    if (COMPILED.test(line)) put('compiled');
  });
  for (;;) {
    while (queue.length > 0) yield queue.includes('stop') ? 'stop' : queue.splice(0).pop();
    await new Promise((resolve) => (wake = resolve));
  }
}

/** The server under development; the next one starts when the last has ended and let go of the data folder. */
class Server {
  #node;
  #child = null;

  constructor(node) {
    this.#node = node;
  }

  async restart() {
    await this.stop();
    const program = inProject('dist/backend/src/main.js');
    this.#child = spawn(this.#node, ['--enable-source-maps', program], {
      cwd: inProject(),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  async stop() {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

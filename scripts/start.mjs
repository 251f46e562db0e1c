import { prepare } from './lib/prepare.mjs';
import { launch } from './lib/launch.mjs';
import { inProject, main, say } from './lib/project.mjs';
import { serverEnv, serverFlags, workerEnv, workerFlags } from './lib/server-flags.mjs';

/** `npm start`: installs, builds and runs whatever is needed; the server prints the URL. */
await main(async () => {
  const node = await prepare(['backend', 'frontend']);
  say('starting …');
  const isWorker = process.env.ROLE === 'worker';
  const env = { NODE_ENV: process.env.NODE_ENV ?? 'production', ...(isWorker ? workerEnv : serverEnv) };
  const flags = isWorker ? workerFlags : serverFlags;
  return launch(node, [...flags, inProject('dist/backend/src/main.js')], env);
});
